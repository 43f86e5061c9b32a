// How the keys of a Parquet column's filter may be written, by what the file says of the column.
#pragma once

#include <seen/any_filter.hpp>

#include <string>

#include "records/written_number.hpp"

namespace seen::cli {

/// Whole numbers, if the filter is of anything else than such a column.
[[nodiscard]] written_number keys_written_in(const std::string& path, const any_filter& filter,
                                             const open_options& how);

}  // namespace seen::cli
