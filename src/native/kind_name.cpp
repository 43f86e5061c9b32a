// The names of kinds by their numbers in files, for messages. The registry knows them too, but it names every kind and every format: a
// program that opens filters of one kind would link them all for the sake of a sentence. A test compares the two.
#include <seen/concepts.hpp>

#include <array>
#include <string>
#include <string_view>

namespace seen::inline v1 {
namespace {

// docs/formats/native.md gives the numbers; the first kind is 1.
constexpr std::array<std::string_view, 15> names{
    "bloom",
    "partitioned-bloom",
    "blocked-bloom",
    "split-block",
    "counting-bloom",
    "blocked-counting-bloom",
    "scalable-bloom",
    "cuckoo",
    "growing-cuckoo",
    "quotient",
    "windowed-bloom",
    "scalable-classic-bloom",
    "xor",
    "binary-fuse",
    "ribbon",
};

}  // namespace

std::string kind_name(std::uint16_t id) {
  if (id == 0 || id > names.size()) return "kind " + std::to_string(id);
  return std::string(names[id - 1u]);
}

}  // namespace seen::inline v1
