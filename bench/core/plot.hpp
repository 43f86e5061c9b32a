// Two pictures of a run, as SVG that reads on light and on dark ground:
//
//   speed-by-space.svg   one panel per size: nanoseconds per lookup over bits per key, of filters with the same rate
//   cost-by-size.svg     nanoseconds per lookup from the smallest size to the largest, next to a random line of memory
#pragma once

#include <seen/base/result.hpp>

#include <string>
#include <vector>

#include "records.hpp"

namespace seen::bench {

/// A picture and the name of its file.
struct picture {
  std::string name, svg;
};

/// Those of the pictures that the records have enough for, of the first run that has it.
std::vector<picture> pictures_of(const std::vector<record>& records);

/// Writes them into a folder, which is made if it is not there.
result<void> write_pictures(const std::vector<record>& records, const std::string& folder);

}  // namespace seen::bench
