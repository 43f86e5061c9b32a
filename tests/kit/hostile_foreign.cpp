// Hostile files of other libraries: lengths and counts that lie where no checksum could tell, JSON and gob that are
// malformed; and the tables of tests/formats/lies, which have a lie for every check that a reader makes.
#include <cstring>

#include "support/lies.hpp"
#include "victim.hpp"

namespace seen::kit {
namespace {

// Files without checksums: numbers that lie about lengths.
void lie_in_binary(victim& v, const std::vector<number_field>& fields, bool big_endian) {
  for (const number_field& f : fields) {
    for (const std::uint64_t value :
         {std::uint64_t{0}, std::uint64_t{1} << 20, std::uint64_t{1} << 31, std::uint64_t{1} << 32,
          std::uint64_t{1} << 40, (std::uint64_t{1} << 40) + 1, std::uint64_t{1} << 60, std::uint64_t{1} << 63,
          ~std::uint64_t{0}, ~std::uint64_t{0} - 62}) {
      byte_vector bad = v.good();
      for (std::size_t i = 0; i < f.width; ++i) {
        const std::size_t shift = 8 * (big_endian ? f.width - 1 - i : i);
        bad[f.offset + i] = static_cast<std::byte>(value >> shift & 0xff);
      }
      (void)v.may(bad, std::string("lie: ") + f.name);
    }
  }
  for (const std::size_t length : {0u, 1u, 4u, 8u, 11u, 12u, 15u, 16u, 17u, 23u, 24u, 25u, 100u}) v.cut(length);
  for (std::size_t back = 1; back <= 9; ++back) v.cut(v.good().size() - back);
  for (const std::size_t more : {1u, 8u, 64u}) v.grow(more);
}

void lie_in_text(victim& v) {
  const auto good = std::string_view(reinterpret_cast<const char*>(v.good().data()), v.good().size());
  const auto replaced = [&](std::string_view what, std::string_view with) {
    std::string bad(good);
    const std::size_t begin = bad.find(what);
    if (begin == std::string::npos) return;
    bad.replace(begin, what.size(), with);
    byte_vector bytes(bad.size());
    std::memcpy(bytes.data(), bad.data(), bad.size());
    (void)v.may(bytes, "json: " + std::string(what) + " replaced");
  };
  for (const char* with :
       {"{\"m\":0,", "{\"m\":-1,\"x", "{\"m\":1e3,\"x", "{\"m\":\"1\",\"x", "{\"m\":null,\"x", "{\"m\":[1],\"x",
        "{\"m\":1152921504606846976,\"x", "{\"m\":99999999999999999999999,\"x", "[\"m\":", "{m:", ""}) {
    replaced("{\"m\":", with);
  }
  for (const char* with :
       {"\"k\":-", "\"k\":1000000000000", "\"k\":\"", "\"k\":[", "\"k\":99999999999999999999999", "\"q\":"}) {
    replaced("\"k\":", with);
  }
  for (const char* with :
       {"\"b\":\"!", "\"b\":\"A", "\"b\":\"=", "\"b\":[\"", "\"q\":\"", "\"b\":\"\\u0041", "\"b\":{\"a\":\""}) {
    replaced("\"b\":\"", with);
  }
  for (const std::size_t length : {0u, 1u, 2u, 5u, 10u, 30u, 100u}) v.cut(length);
  for (std::size_t back = 1; back <= 6; ++back) v.cut(v.good().size() - back);
  byte_vector deep(900 / 2, std::byte{'['});
  (void)v.may(deep, "json: brackets");
}

void lie_in_gob(victim& v) {
  for (std::size_t byte = 0; byte < 40; ++byte) {
    for (const int value : {0x00, 0x01, 0x7f, 0x80, 0xf8, 0xff}) {
      byte_vector bad = v.good();
      bad[byte] = static_cast<std::byte>(value);
      (void)v.may(bad, "gob: a byte of the frame");
    }
  }
  for (const std::size_t length : {0u, 1u, 2u, 9u, 11u, 12u, 14u, 20u, 40u, 100u}) v.cut(length);
  for (std::size_t back = 1; back <= 9; ++back) v.cut(v.good().size() - back);
  v.grow(1);
}

}  // namespace

void harm_foreign_files(const victim_finder& victim_called) {
  const number_field go_words[] = {{"m", 0, 8}, {"k", 8, 8}, {"length", 16, 8}};
  victim binary = victim_called("bits-and-blooms-binary-text-137");
  lie_in_binary(binary, {go_words[0], go_words[1], go_words[2]}, true);
  victim little = victim_called("bits-and-blooms-binary-le-text-137");
  lie_in_binary(little, {go_words[0], go_words[1]}, true);
  lie_in_binary(little, {go_words[2]}, false);
  victim json = victim_called("bits-and-blooms-json-text-137");
  lie_in_text(json);
  victim gob = victim_called("bits-and-blooms-gob-text-137");
  lie_in_gob(gob);
  victim phrozen = victim_called("phrozen-text-137");
  lie_in_binary(phrozen, {go_words[0], go_words[1]}, false);
  victim portable = victim_called("portable-text-137");
  lie_in_binary(portable, {{"k", 0, 4}, {"m", 4, 8}}, false);
}

void tell_lies(const victim_finder& victim_called, const std::filesystem::path& tables) {
  for (const auto& table : testing::tables_of_lies(tables)) {
    for (const testing::lie& each : testing::lies_in(table)) {
      if (each.kit_case().empty() || !each.with.empty() || each.error == "none") continue;
      victim v = victim_called(each.kit_case());
      v.must(testing::told(v.good(), each), "lie: " + each.what);
    }
  }
}

}  // namespace seen::kit
