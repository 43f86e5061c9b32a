// Filters of other libraries' formats against our own of the same hash, size and number of probes: what differs is where
// the bits of a key lie, and how their positions are computed. Both are asked through any_filter, as the command asks.
#include <seen/any_filter.hpp>

#include <optional>
#include <stdexcept>
#include <string_view>

#include "core/harness.hpp"
#include "sections.hpp"

namespace seen::bench {
namespace {

/// "guava" with its own hash, or "native": the classic kind with the hash of the peer beside it.
template <const char* const& format, hash_id hash>
struct of_format {
  explicit of_format(std::size_t n)
      : f(made(
            {.kind = "bloom",
             .shape = {{"bits", n * 48 / 5 / 64 * 64}, {"probes", 7}},
             .hash = std::string_view(format) == "native" ? std::optional(hash) : std::nullopt,  // a format has its own
             .format = format})) {}

  static any_filter made(const make_options& options) {
    auto f = any_filter::make(options);
    if (!f) throw std::runtime_error(f.error().detail);
    return std::move(*f);
  }
  void add_batch(std::span<const std::uint64_t> keys) {
    if (!f.add_many(keys)) throw std::runtime_error("add_many failed");
  }
  [[nodiscard, gnu::always_inline]] bool contains(std::uint64_t key) const { return f.may_contain(key); }
  std::size_t contains_batch(std::span<const std::uint64_t> keys, bool* out) const {
    return f.may_contain_many(keys, {out, keys.size()});
  }
  [[nodiscard]] std::size_t bytes() const { return static_cast<std::size_t>(f.info().bytes); }

  any_filter f;
};

constexpr const char* native = "native";
constexpr const char* guava = "guava";
constexpr const char* phrozen = "phrozen";
constexpr const char* bits_and_blooms = "bits-and-blooms";
constexpr auto murmur = hash_id::murmur3_x64_128;
constexpr auto fnv = hash_id::fnv1a_64;

}  // namespace

family foreign_family() {
  return {
      "foreign",
      9.59,
      {contends<of_format<native, murmur>>("bloom, murmur3"),
       contends<of_format<guava, murmur>>("guava", "bloom, murmur3"),
       contends<of_format<bits_and_blooms, murmur>>("bits-and-blooms", "bloom, murmur3"),
       contends<of_format<native, fnv>>("bloom, fnv1a"), contends<of_format<phrozen, fnv>>("phrozen", "bloom, fnv1a")}};
}

}  // namespace seen::bench
