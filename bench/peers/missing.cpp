// Stands in for the peers whose packages were not found when the benchmark was configured.
#include "peers.hpp"

namespace seen::bench {

#ifndef SEEN_BENCH_BOOST
std::string add_boost(std::vector<family>&) {
  return "Boost.Bloom: the crate boost_bloom could not be fetched (needs cargo)";
}
#endif
#ifndef SEEN_BENCH_ROCKSDB
std::string add_rocksdb(std::vector<family>&) {
  return "RocksDB: librocksdb-dev is not installed, or is not 7.8";
}
#endif
#ifndef SEEN_BENCH_LIBBLOOM
std::string add_libbloom(std::vector<family>&) {
  return "libbloom: libbloom-dev is not installed";
}
#endif
#ifndef SEEN_BENCH_XOR
std::string add_xor_singleheader(std::vector<family>&) {
  return "binary fuse and xor in C: the source of pyfusefilter could not be fetched (needs pip)";
}
#endif

}  // namespace seen::bench
