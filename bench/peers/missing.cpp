// Stands in for the peers whose packages or headers were not found when the benchmark was configured.
#include "peers.hpp"

namespace seen::bench {

#ifndef SEEN_BENCH_BOOST
std::string add_boost(std::vector<family>&) {
  return "Boost.Bloom: not in SEEN_PEERS, and the crate boost_bloom could not be fetched (needs cargo)";
}
std::vector<shared_filter> boost_readers() {
  return {};
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
  return "binary fuse and xor in C: not in SEEN_PEERS, and the source of pyfusefilter could not be fetched (needs pip)";
}
#endif
#ifndef SEEN_BENCH_FASTFILTER
std::string add_fastfilter(std::vector<family>&) {
  return "binary fuse in C++: fastfilter_cpp is not in SEEN_PEERS";
}
#endif
#ifndef SEEN_BENCH_CUCKOOFILTER
std::string add_cuckoofilter(std::vector<family>&) {
  return "cuckoofilter: not in SEEN_PEERS, or openssl/evp.h is missing";
}
#endif
#ifndef SEEN_BENCH_VQF
std::string add_vqf(std::vector<family>&) {
  return "VQF: not in SEEN_PEERS";
}
#endif
#ifndef SEEN_BENCH_BURR
std::string add_burr(std::vector<family>&) {
  return "BuRR: not in SEEN_PEERS with its submodules";
}
#endif
#ifndef SEEN_BENCH_LIBFILTER
std::string add_libfilter(std::vector<family>&) {
  return "libfilter: not in SEEN_PEERS";
}
#endif

}  // namespace seen::bench
