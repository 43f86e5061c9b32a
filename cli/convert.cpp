// seen convert: a filter as a file of another format, where its bits mean the same there.
//
// A filter knows the traces of its keys, not the keys: where the other format hashes or places them otherwise, it has to
// be built anew from the keys, and the message says so.
#include <seen/any_filter.hpp>

#include <fmt/core.h>
#include <memory>

#include "filter_file.hpp"
#include "options.hpp"
#include "outcome.hpp"
#include "verb.hpp"
#include "words.hpp"

namespace seen::cli {
namespace {

struct convert_options {
  std::string path, to, variant;
  std::string metadata;
  output_options output;
  filter_options filter;
  outcome_options outcome;
};

result<exit_status> convert(const convert_options& o) {
  auto open = o.filter.read();
  if (!open) return open.error();
  if (auto apart = o.outcome.check(o.output.path); !apart) return apart.error();
  if (auto writable = o.output.check(o.filter.secrets(), {o.path}); !writable) return writable.error();
  auto filter = open_filter(o.path, *open, opening::checked, o.outcome.quiet);
  if (!filter) return filter.error();
  const std::string from(filter->format());
  const std::string to = o.to.empty() ? from : o.to;
  if (o.to.empty() && o.variant.empty() && o.metadata.empty()) {
    return {errc::invalid_argument, "--to: is required, unless --variant or --metadata is to change"};
  }
  auto converted = std::move(*filter).convert(to, o.variant);
  if (!converted) return about(o.path, converted.error());
  if (!o.metadata.empty()) {
    if (auto fine = check_metadata(converted->format()); !fine) return fine.error();
    converted->set_metadata(o.metadata);
  }
  if (auto saved = o.output.save(*converted, o.outcome.quiet); !saved) return saved.error();
  const std::string variant = converted->origin().variant.empty() ? "" : " (" + converted->origin().variant + ")";
  auto told =
      o.outcome.tell(json::object().add("file", o.output.name()).add("from", from), converted->info(),
                     fmt::format("{}: {} from {}", o.output.name(), std::string(converted->format()) + variant, from));
  if (!told) return told.error();
  o.output.tell_of_secret(*converted, o.filter, o.outcome.quiet);
  return exit_status::yes;
}

}  // namespace

action define_convert(option_list& app) {
  auto o = std::make_shared<convert_options>();
  app.value({"filter", "the filter file", "FILE", need::required}, o->path);
  app.value({"--to", "the format to write (see `seen formats`; default: the one it has)", "FORMAT"}, o->to);
  app.value({"--variant", "which variant of the format (see `seen formats --json`)", "NAME"}, o->variant);
  app.value({"--metadata", "the note or data kept in the file from now on", "TEXT"}, o->metadata);
  o->output.define(app);
  o->output.define_store_secret(app);
  o->filter.define(app, "--from-variant");
  o->outcome.define(app);
  app.footer(
      "A filter whose bits mean something else in the other format is refused: build it anew from its keys,\n"
      "with `seen build --format`.\n"
      "\n"
      "Examples:\n"
      "  seen convert --to bits-and-blooms --variant json users.bin --format bits-and-blooms -o users.json\n"
      "  seen convert --to parquet ids.seen -o ids.sbbf           ids.seen being a split-block filter with xxh64\n"
      "  seen convert --to parquet table.parquet --column id -o id.sbbf\n"
      "  seen convert --metadata 'list of May' iocs.bloom -o iocs-may.bloom");
  return [o] { return convert(*o); };
}

}  // namespace seen::cli
