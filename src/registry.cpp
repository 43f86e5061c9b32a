// The two lists: every kind and every format that this release knows. Nothing else names them all. A new kind is one line here and one
// in src/kinds/rows.hpp; a new format is one line here and its header.
#include <seen/formats/native.hpp>
#include <seen/registry.hpp>

#include <array>

#include "kinds/rows.hpp"

#ifdef SEEN_WITH_FORMATS
#include <seen/formats/bbloom.hpp>
#include <seen/formats/bits_and_blooms.hpp>
#include <seen/formats/boomfilters.hpp>
#include <seen/formats/cassandra.hpp>
#include <seen/formats/datasketches.hpp>
#include <seen/formats/dcso.hpp>
#include <seen/formats/guava.hpp>
#include <seen/formats/hadoop.hpp>
#include <seen/formats/leveldb.hpp>
#include <seen/formats/libbloom.hpp>
#include <seen/formats/npm_bloom_filters.hpp>
#include <seen/formats/parquet.hpp>
#include <seen/formats/phrozen.hpp>
#include <seen/formats/portable.hpp>
#include <seen/formats/pybloom_live.hpp>
#include <seen/formats/pyprobables.hpp>
#include <seen/formats/redisbloom.hpp>
#include <seen/formats/rocksdb.hpp>
#include <seen/formats/rust_bloomfilter.hpp>
#include <seen/formats/seiflotfy_cuckoo.hpp>
#include <seen/formats/spark.hpp>
#include <seen/formats/valkey_bloom.hpp>
#include <seen/formats/willf.hpp>
#include <seen/formats/xor_singleheader.hpp>
#include <seen/formats/xorfilter_go.hpp>
#endif

namespace seen::inline v1 {
namespace {

// Native first, then one line each in the order of their names, also where several would fit.
// clang-format off
constexpr std::array all_formats{
    &native::format,
#ifdef SEEN_WITH_FORMATS
    &bbloom::format,
    &bits_and_blooms::format,
    &boomfilters::format,
    &cassandra::format,
    &datasketches::format,
    &dcso::format,
    &guava::format,
    &hadoop::format,
    &leveldb::format,
    &libbloom::format,
    &npm_bloom_filters::format,
    &parquet::format,
    &phrozen::format,
    &portable::format,
    &pybloom_live::format,
    &pyprobables::format,
    &redisbloom::format,
    &rocksdb::format,
    &rust_bloomfilter::format,
    &seiflotfy_cuckoo::format,
    &spark::format,
    &valkey_bloom::format,
    &willf::format,
    &xor_singleheader::format,
    &xorfilter_go::format,
#endif
};
// clang-format on

}  // namespace

std::span<const kind_row> kinds() {
  // The default first; mutable kinds before static ones.
  static const std::array all_kinds{
      rows::blocked_bloom(),
      rows::bloom(),
      rows::partitioned_bloom(),
      rows::split_block(),
      rows::counting_bloom(),
      rows::blocked_counting_bloom(),
      rows::cuckoo(),
      rows::quotient(),
      rows::scalable_bloom(),
      rows::scalable_classic_bloom(),
      rows::growing_cuckoo(),
      rows::windowed_bloom(),
      rows::binary_fuse(),
      rows::ribbon(),
      rows::xor_filter(),
  };
  return all_kinds;
}

std::span<const format_row* const> formats() {
  return all_formats;
}

}  // namespace seen::inline v1
