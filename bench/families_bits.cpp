// Kinds made of bits, at the points of their peers; and keys that are text.
#include <seen/filters/binary_fuse.hpp>
#include <seen/filters/blocked_bloom.hpp>
#include <seen/filters/bloom.hpp>
#include <seen/filters/partitioned_bloom.hpp>
#include <seen/filters/scalable_bloom.hpp>
#include <seen/filters/split_block.hpp>
#include <seen/filters/windowed_bloom.hpp>

#include "bits_and_blooms.hpp"
#include "contenders.hpp"
#include "families.hpp"

namespace seen::bench {
namespace {

template <class F, std::size_t words = 0>
struct blocks_of_512 : of_seen<F, words> {
  explicit blocks_of_512(std::size_t n)
      : of_seen<F, words>(F(blocked_bloom_shape{.blocks = units_for(n, 12.18, 512), .probes = 8})) {}
};
template <class F, std::size_t words = 0>
struct blocks_of_256 : of_seen<F, words> {
  explicit blocks_of_256(std::size_t n) : of_seen<F, words>(F(split_block_shape{.blocks = units_for(n, 12.84, 256)})) {}
};
template <class F>
struct seven_probes : of_seen<F> {
  explicit seven_probes(std::size_t n) : of_seen<F>(F(bloom_shape{.bits = units_for(n, 9.585, 1), .probes = 7})) {}
};

template <std::size_t words>
family of_text(const char* name) {
  return {name,
          12.18,
          {contends<blocks_of_512<blocked_bloom, words>>("blocked_bloom", peers::multiblock64),
           contends<blocks_of_256<split_block, words>>("split_block", peers::multiblock32),
           contends<of_static<binary_fuse, binary_fuse_shape{.fingerprint_bits = 8}, words>>("binary_fuse")}};
}

}  // namespace

std::vector<family> bit_families() {
  return {
      {"block",
       12.18,
       {contends<blocks_of_512<blocked_bloom>>("blocked_bloom", peers::multiblock64),
        contends<blocks_of_256<split_block>>("split_block", peers::fastest_of(peers::multiblock32, peers::libfilter)),
        contends<of_digests<blocks_of_512<blocked_bloom>>>("blocked digests", peers::multiblock64_digests),
        contends<of_digests<blocks_of_256<split_block>>>("split digests", peers::multiblock32_digests),
        contends<blocks_of_512<concurrent_blocked_bloom>>("concurrent_blocked", peers::multiblock64)}},
      {"classic",
       9.59,
       {contends<seven_probes<bloom>>("bloom", peers::classic),
        contends<planned<partitioned_bloom, 100>>("partitioned_bloom", peers::classic),
        contends<seven_probes<concurrent_bloom>>("concurrent_bloom", peers::classic),
        contends<bits_and_blooms>(peers::baseline)}},
      {"growing",
       12,
       {contends<planned<scalable_bloom, 100>>("scalable_bloom"),
        contends<planned<windowed_bloom, 100>>("windowed_bloom")}},
      of_text<2>("text 16"),
      of_text<8>("text 64"),
  };
}

}  // namespace seen::bench
