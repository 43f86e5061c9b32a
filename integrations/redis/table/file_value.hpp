// file_value: the value that a filter file is, whoever wrote it. What a client would have asked for is told by the filter itself.
#pragma once

#include <seen/any_filter.hpp>
#include <seen/base/result.hpp>

#include <string>

#include "table/value.hpp"

namespace seen::redis {

/// Which commands a filter of this kind is for, unless somebody says others: SF of static kinds, CF of cuckoo filters, BF of the rest.
[[nodiscard]] family usual_family(const any_filter& filter);

[[nodiscard]] value file_value(any_filter filter, const filter_info& about, family of);

/// Refuses a filter that forgets by another clock than commands tell it.
[[nodiscard]] result<void> check_clock(const std::string& path, const filter_info& about);

}  // namespace seen::redis
