// Kinds made of fingerprints and counters, at the points of their peers.
#include <seen/filters/binary_fuse.hpp>
#include <seen/filters/blocked_counting_bloom.hpp>
#include <seen/filters/counting_bloom.hpp>
#include <seen/filters/cuckoo.hpp>
#include <seen/filters/quotient.hpp>
#include <seen/filters/ribbon.hpp>
#include <seen/filters/xor_filter.hpp>

#include "contenders.hpp"
#include "families.hpp"

namespace seen::bench {
namespace {

// Fingerprints of so many bits, whatever rate that gives.
template <class F, std::uint32_t bits>
struct cuckoo_of : of_seen<F> {
  explicit cuckoo_of(std::size_t n)
      : of_seen<F>(F(cuckoo_shape::plan({.capacity = n, .fpr = 0.01}, {.fingerprint_bits = bits}).value())) {}
};

}  // namespace

std::vector<family> table_families() {
  using fuse = of_static<binary_fuse, binary_fuse_shape{.fingerprint_bits = 8}>;
  using fuse_16 = of_static<binary_fuse, binary_fuse_shape{.fingerprint_bits = 16}>;
  using fuse_4 = of_static<binary_fuse, binary_fuse_shape{.fingerprint_bits = 8, .arity = 4}>;
  using fast = of_static<ribbon, ribbon_shape{.fingerprint_bits = 8}>;
  using compact = of_static<ribbon, ribbon_shape{.fingerprint_bits = 8, .setting = ribbon_setting::compact}>;
  using xor_8 = of_static<xor_filter, xor_filter::shape_type{.fingerprint_bits = 8}>;
  const std::string fuses = peers::fastest_of(peers::fuse, peers::fuse_cpp);
  return {
      {"static",
       8.5,
       {contends<fuse>("binary_fuse", fuses), contends<fuse_4>("binary_fuse 4-wise", peers::fuse_4_cpp),
        contends<fast>("ribbon fast", fuses),
        contends<compact>("ribbon compact", peers::fastest_of(peers::burr, peers::rocksdb_ribbon)),
        contends<xor_8>("xor_filter", peers::xor8)}},
      {"static 16", 18, {contends<fuse_16>("binary_fuse 16", peers::fastest_of(peers::fuse_16, peers::fuse_16_cpp))}},
      {"cuckoo",
       16.9,
       {contends<cuckoo_of<cuckoo, 16>>("cuckoo 16", peers::cuckoo_16),
        contends<cuckoo_of<cuckoo, 12>>("cuckoo 12", peers::cuckoo_12),
        contends<cuckoo_of<concurrent_cuckoo, 16>>("concurrent_cuckoo 16")}},
      {"quotient", 11.5, {contends<planned<quotient, 227>>("quotient", peers::vqf)}},
      {"counting",
       48,
       {contends<planned<blocked_counting_bloom, 122>>("blocked_counting", peers::counting),
        contends<planned<counting_bloom, 122>>("counting_bloom", peers::counting)}},
  };
}

}  // namespace seen::bench
