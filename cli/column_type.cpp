#include "column_type.hpp"

#include <seen/storage/source.hpp>

#include "formats/encodings/parquet_footer.hpp"

namespace seen::cli {

written_number keys_written_in(const std::string& path, const any_filter& filter, const open_options& how) {
  using parquet::logical_type;
  using kind = written_number::kind;
  if (filter.format() != "parquet" || filter.origin().accepts.form == key_form::bytes) return {};
  auto opened = file::open(path);
  auto from = opened ? source::of(*opened) : result<source>(opened.error());
  auto footer = from ? parquet::footer::read(*from) : result<parquet::footer>(from.error());
  if (!footer) return {};  // a bare filter, or one that comes through a pipe
  const auto chosen = footer->select(how.part, path);
  if (!chosen) return {};
  const parquet::schema_node& column = footer->column(chosen->front().column);
  if (column.type == parquet::physical_type::boolean) return {kind::flag};
  switch (column.logical) {
    case logical_type::date:
      return {kind::date};
    case logical_type::time:
      return {kind::time, column.unit};
    case logical_type::timestamp:
      return {kind::timestamp, column.unit};
    case logical_type::none:
      break;
  }
  if (!column.decimal || column.scale < 1 || column.scale > 18) return {};
  std::int64_t unit = 1;
  for (std::int64_t i = 0; i < column.scale; ++i) unit *= 10;
  return {kind::decimal, unit};
}

}  // namespace seen::cli
