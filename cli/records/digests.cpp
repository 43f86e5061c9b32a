// The functions are the library's, which reads filters of other libraries that cut digests into positions.
#include "records/digests.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "hash/md5.hpp"
#include "hash/sha1.hpp"
#include "hash/sha2.hpp"

namespace seen::cli {
namespace {

template <class Digest>
void compute_digest(bytes_view message, std::byte* to) noexcept {
  const auto digest = detail::digest_of<Digest>(message);
  std::copy(digest.begin(), digest.end(), to);
}

template <class Digest>
constexpr digest_function digest_named(const char* name) {
  static_assert(Digest::digest_bytes <= digest_function::longest);
  return {name, Digest::digest_bytes, compute_digest<Digest>};
}

constexpr std::array known_digests{digest_named<sha1>("sha1"), digest_named<md5>("md5"),
                                   digest_named<sha256>("sha256")};

}  // namespace

result<const digest_function*> find_digest(std::string_view name) {
  std::string names;
  for (const digest_function& each : known_digests) {
    if (name == each.name) return &each;
    names += (names.empty() ? "" : ", ") + std::string(each.name);
  }
  return {errc::invalid_argument, "no digest is called \"" + std::string(name) + "\"; there are " + names};
}

}  // namespace seen::cli
