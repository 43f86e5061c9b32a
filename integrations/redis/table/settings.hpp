// settings: what an operator may choose, by the names that CONFIG GET and SET have for them.
//
//   name                  usual   from     to
//   bf-error-rate         0.01    above 0  below 1     of a filter that an add makes
//   bf-initial-size       100     1        2^30
//   bf-expansion-factor   2       0        32768
//   cf-bucket-size        2       1        255
//   cf-initial-size       1024    4        2^30
//   cf-max-iterations     20      1        65535
//   cf-expansion-factor   1       0        32768
//   cf-max-expansions     32      1        65536
//   sf-directory                                       where SF.LOAD … FILE finds its files; set when the server starts
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace seen::redis {

/// The most keys that a filter may be made for; RedisBloom's limit.
inline constexpr std::uint64_t most_capacity = std::uint64_t{1} << 30;
inline constexpr std::uint64_t most_expansion = 32768;
inline constexpr std::uint64_t most_bucket_size = 255;
inline constexpr std::uint64_t most_iterations = 65535;

/// The settings of a server.
struct settings {
  double bf_error_rate = 0.01;
  std::int64_t bf_initial_size = 100;
  std::int64_t bf_expansion_factor = 2;
  std::int64_t cf_bucket_size = 2;
  std::int64_t cf_initial_size = 1024;
  std::int64_t cf_max_iterations = 20;
  std::int64_t cf_expansion_factor = 1;
  std::int64_t cf_max_expansions = 32;
  std::string lookup_folder = {};
};

/// A whole number among them. The error rate is the one that is not.
struct setting_row {
  const char* name;
  std::int64_t settings::*place;
  std::int64_t least, most;
};

inline constexpr const char* error_rate_name = "bf-error-rate";
inline constexpr const char* lookup_folder_name = "sf-directory";
inline constexpr std::array<setting_row, 7> setting_rows{{
    {"bf-initial-size", &settings::bf_initial_size, 1, most_capacity},
    {"bf-expansion-factor", &settings::bf_expansion_factor, 0, most_expansion},
    {"cf-bucket-size", &settings::cf_bucket_size, 1, most_bucket_size},
    {"cf-initial-size", &settings::cf_initial_size, 4, most_capacity},
    {"cf-max-iterations", &settings::cf_max_iterations, 1, most_iterations},
    {"cf-expansion-factor", &settings::cf_expansion_factor, 0, most_expansion},
    {"cf-max-expansions", &settings::cf_max_expansions, 1, 65536},
}};

}  // namespace seen::redis
