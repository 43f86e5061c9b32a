// hostile.tsv: files that a reader must refuse, each a file of the kit and a few edits.
//
//   damaged    cut, grown, bits flipped anywhere: the checksums tell
//   lying      any field of the header set to what it cannot be, under checksums that are right
//   arranged   segments, entries and padding that do not fit together, under checksums that are right
//   foreign    lengths and counts of files that have no checksum, and every lie of one field: hostile_foreign.cpp
//
// Of each change only those are kept that the library refuses: the others (another capacity, a bit of a static filter's
// table) make another file that is as good. `must` says which of them every reader must refuse.
#include <seen/registry.hpp>

#include <algorithm>
#include <cstring>
#include <functional>
#include <utility>

#include "hostile/mutate.hpp"
#include "support/key_shapes.hpp"
#include "victim.hpp"

namespace seen::kit {

namespace at = testing::at;
using testing::get;
using testing::native_image;
using testing::repair;

namespace {

template <class UInt>
void put(byte_vector& bytes, std::size_t offset, UInt x) {
  testing::set(bytes, offset, x);
}

void damage(victim& v, bool everywhere) {
  const byte_vector& good = v.good();
  const std::size_t header = get<std::uint32_t>(good, at::header_bytes);
  const auto body = static_cast<std::size_t>(get<std::uint64_t>(good, at::body_offset));
  const auto table = body + static_cast<std::size_t>(get<std::uint64_t>(good, at::body_bytes));
  if (everywhere && good.size() < 300) {
    for (std::size_t length = 0; length < good.size(); ++length) v.cut(length);
  }
  for (const std::size_t length : {std::size_t{0}, std::size_t{1}, std::size_t{7}, std::size_t{8}, std::size_t{12},
                                   std::size_t{103}, std::size_t{104}, std::size_t{143}, std::size_t{144}, header - 40,
                                   header - 1, header, body, table - 64, table - 1, table, good.size() - 1}) {
    v.cut(length);
  }
  for (const std::size_t more : {1u, 8u, 64u}) v.grow(more);
  // A header means the same in every kind: all of its bytes for some, a third for the others.
  for (std::size_t byte = everywhere ? 0 : header % 3; byte < header; byte += everywhere ? 1 : 3) {
    v.flip(byte, byte < header - 40 ? "header" : "trailer");
  }
  for (std::size_t i = 0; i < 16; ++i) v.flip(body + (table - body - 1) * i / 15, "body");
  for (std::size_t byte = table; byte < good.size(); ++byte) v.flip(byte, "page table");
}

std::vector<std::uint64_t> lies_about(std::uint64_t truth) {
  const auto two_to = [](int n) { return std::uint64_t{1} << n; };
  return {0,
          1,
          3,
          truth - 1,
          truth + 1,
          truth + 64,
          2 * truth,
          truth + two_to(32),
          two_to(40) + 1,
          truth + two_to(61),
          two_to(63),
          ~std::uint64_t{0},
          ~std::uint64_t{0} - 63,
          std::bit_cast<std::uint64_t>(1.0),
          std::bit_cast<std::uint64_t>(-0.5),
          std::bit_cast<std::uint64_t>(std::numeric_limits<double>::infinity()),
          std::bit_cast<std::uint64_t>(std::numeric_limits<double>::quiet_NaN())};
}

void lie_about(victim& v, const number_field& f) {
  for (const std::uint64_t value : lies_about(testing::get(v.good(), f))) {
    byte_vector bad = v.good();
    testing::set(bad, f, value);
    (void)repair(bad);
    (void)v.may(bad, std::string("lie: ") + f.name);
  }
}

void lie(victim& v, bool about_everything) {
  if (about_everything) {
    for (const number_field& f : testing::header_fields) {
      if (f.values != number_field::others::taken) lie_about(v, f);
    }
  }
  // Parameters of the first segments and of the last: chains repeat themselves.
  std::size_t offset = at::entries;
  const native_image image = native_image::of(v.good());
  for (std::size_t e = 0; e < image.entries.size(); ++e) {
    const auto& entry = image.entries[e];
    if (entry.tag == 1 && (e < 2 || e + 1 == image.entries.size())) {
      for (std::size_t i = 16; i < entry.value.size(); i += 8) {
        lie_about(v, {"parameter", offset + 8 + i, 8});
      }
    }
    offset += 8 + (entry.value.size() + 7) / 8 * 8;
  }
  for (const std::uint64_t census : {std::uint64_t{0}, image.census - 1, image.census + 1, ~std::uint64_t{0}}) {
    native_image bad = image;
    bad.census = census;
    if (census != image.census) v.must(bad.encode(), "lie: census");
  }
}

void arrange(victim& v) {
  const native_image image = native_image::of(v.good());
  const std::uint64_t length = image.body.size();
  const auto with = [&](const std::function<void(native_image&)>& change, const char* why) {
    native_image bad = image;
    change(bad);
    v.must(bad.encode(), why);
  };
  const auto in_bytes = [&](const std::function<void(byte_vector&)>& change, const char* why) {
    byte_vector bad = v.good();
    change(bad);
    (void)repair(bad);
    v.must(bad, why);
  };
  with([](native_image& i) { i.major = 2; }, "newer major version");
  with([](native_image& i) { i.major = 0; }, "major version 0");
  with([](native_image& i) { i.flags = 1; }, "unknown flag");
  with([](native_image& i) { i.flags = 0x8000'0000; }, "unknown flag");
  with([](native_image& i) { i.hash_flags ^= 1; }, "keyed, or not, against the hash");
  with([](native_image& i) { i.hash_flags |= 2; }, "unknown hash flag");
  with([](native_image& i) { i.kind = i.kind % 15 + 1; }, "another kind");  // of the first fifteen
  with([](native_image& i) { ++i.index_rule; }, "another index rule");
  with([](native_image& i) { i.kind = 0; }, "kind 0");
  with([](native_image& i) { i.kind = 999; }, "unknown kind");
  with([](native_image& i) { i.hash_id = 999; }, "unknown hash");
  with([](native_image& i) { i.hash_id = 0x8001; }, "a user's own hash");
  with([](native_image& i) { i.entries.push_back({77, 1, byte_vector(8)}); }, "unknown entry, must be understood");
  with([](native_image& i) { i.entries.push_back({0, 0, byte_vector(8)}); }, "entry of tag 0");
  for (const std::size_t size : {0u, 17u}) {
    with([&](native_image& i) { i.entries.push_back({3, 0, byte_vector(size)}); }, "secret of another length");
  }
  with([](native_image& i) { i.entries.clear(); }, "no segment");
  with([](native_image& i) { i.entries.push_back(i.entries.front()); }, "the first segment again");
  with([](native_image& i) { i.entries.insert(i.entries.begin(), native_image::segment(0, 0, {})); },
       "empty segment first");
  with([&](native_image& i) { i.entries.push_back(native_image::segment(length, 0, {1, 1})); }, "empty segment last");
  with([](native_image& i) { i.entries[0].value.resize(16); }, "segment without parameters");
  with([](native_image& i) { i.entries[0].value.resize(8); }, "segment without length");
  with([](native_image& i) { i.entries[0].value.resize(i.entries[0].value.size() + 8); }, "a parameter more");
  with([](native_image& i) { i.entries[0].value.resize(i.entries[0].value.size() - 8); }, "a parameter fewer");
  with([](native_image& i) { i.entries[0].value.resize(i.entries[0].value.size() + 4); }, "half a parameter more");
  with([](native_image& i) { i.entries[0].value.resize(16 + 65 * 8); }, "65 parameters");
  with([](native_image& i) { i.body.clear(), i.census = 0; }, "no body");
  with([](native_image& i) { i.body.resize(i.body.size() + 64); }, "body longer than its segments");
  with([](native_image& i) { i.body.resize(i.body.size() - 64); }, "body shorter than its segments");
  if (image.census != 0 && find_kind(image.kind)->build == nullptr) {
    with([](native_image& i) { std::fill(i.body.begin(), i.body.end(), std::byte{0}); },
         "body emptied under its census");
  }
  const std::size_t header = get<std::uint32_t>(v.good(), at::header_bytes);
  in_bytes([&](byte_vector& b) { std::memcpy(b.data() + header - at::seal_word, "unsealed", 8); }, "unsealed");
  in_bytes([&](byte_vector& b) { std::memcpy(b.data() + header - at::seal_word, "sealed? ", 8); }, "no seal");
  in_bytes([&](byte_vector& b) { put(b, header - at::seal_word, std::uint64_t{0}); }, "no seal");
  for (const std::uint32_t count : {0u, 2u, 255u, 100'000u, ~0u}) {
    if (count != image.entries.size()) {
      byte_vector bad = v.good();
      put(bad, at::entry_count, count);
      (void)repair(bad);
      (void)v.may(bad, "number of entries");
    }
  }
  // The body somewhere else.
  in_bytes(
      [&](byte_vector& b) {
        const auto offset = get<std::uint64_t>(b, at::body_offset);
        b.insert(b.begin() + static_cast<std::ptrdiff_t>(offset), 64, std::byte{0});
        put(b, at::body_offset, offset + 64);
        put(b, at::file_bytes, std::uint64_t{b.size()});
      },
      "a gap before the body");
}

// Bits of the body, set one by one and counted: only the kind's own rules are left.
void set_bits(victim& v) {
  const native_image image = native_image::of(v.good());
  for (std::size_t i = 0; i < 12; ++i) {
    native_image bad = image;
    const std::size_t byte = i < 4 ? image.body.size() - 1 - i : (image.body.size() - 1) * (i - 4) / 8;
    if ((bad.body[byte] & std::byte{0x80}) != std::byte{0}) continue;
    bad.body[byte] |= std::byte{0x80};
    (void)v.may(bad.encode(), "set bit against census or rules");
    ++bad.census;
    (void)v.may(bad.encode(), "set bit where there is none to set");
  }
}

// Layouts of one segment or more, of a kind that has one.
void overlap(victim& v) {
  const native_image image = native_image::of(v.good());
  const std::uint64_t length = image.body.size();
  const std::uint64_t huge = ~std::uint64_t{0} - 63;
  std::vector<std::uint64_t> told;
  for (std::size_t i = 16; i < image.entries[0].value.size(); i += 8) {
    told.push_back(get<std::uint64_t>(image.entries[0].value, i));
  }
  using ranges = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
  const auto with = [&](const ranges& all, const char* why) {
    native_image bad = image;
    bad.entries.clear();
    for (const auto& [offset, bytes] : all) bad.entries.push_back(native_image::segment(offset, bytes, told));
    v.must(bad.encode(), why);
  };
  with({{0, length}, {0, length}}, "segments: the same twice");
  with({{0, 128}, {64, length - 64}}, "segments: overlapping");
  with({{64, length - 64}}, "segments: a gap before");
  with({{0, 64}, {128, length - 128}}, "segments: a gap between");
  with({{0, length - 64}}, "segments: a gap behind");
  with({{128, length - 128}, {0, 128}}, "segments: out of order");
  with({{0, 0}}, "segments: nothing but an empty one");
  with({{0, length + 64}}, "segments: beyond the end");
  with({{64, huge}}, "segments: wrapping");
  with({{huge, 64}}, "segments: from nowhere");
  with({{0, 64}, {64, huge}}, "segments: wrapping after a good one");
  with({{0, 100}, {100, length - 100}}, "segments: not whole lines");
  with({{0, 128}, {128, length - 128}}, "segments: two of a kind that has one");
}

void fuzz(victim& v, std::uint64_t seed, int rounds) {
  testing::rng random(seed);
  for (int i = 0; i < rounds; ++i) {
    byte_vector bad = v.good();
    for (std::uint64_t changes = 1 + random.below(3); changes != 0; --changes) testing::mutate(bad, random);
    if (random.below(4) != 0) (void)repair(bad);
    (void)v.may(bad, "random", 150);
  }
}

}  // namespace

std::vector<row> hostile_rows(const std::vector<test_case>& cases, const std::map<std::string, byte_vector>& files,
                              const std::filesystem::path& lies) {
  std::vector<row> rows;
  std::set<row> there;
  const auto victim_called = [&](const std::string& name) {
    const auto c = std::find_if(cases.begin(), cases.end(), [&](const test_case& each) { return each.name == name; });
    if (c == cases.end()) fail("no case is called " + name);
    return victim(*c, files.at(c->file()), rows, there);
  };
  for (const test_case& c : cases) {
    if (c.format != "native" || !c.name.ends_with("-text-20")) continue;
    victim v(c, files.at(c.file()), rows, there);
    const bool thorough = c.kind == "bloom", is_chain = c.kind == "scalable-bloom";
    damage(v, thorough || is_chain || c.kind == "ribbon");
    lie(v, thorough || is_chain);
    arrange(v);
    set_bits(v);
    if (thorough) overlap(v);
    fuzz(v, 1 + need(find_kind(c.kind), c.kind)->kind.id, thorough ? 300 : 45);
  }
  std::uint64_t seed = 16;  // whatever kinds there are, these rows stay what they are
  for (const char* name :
       {"scalable-bloom-one-key-links", "growing-cuckoo-grown", "binary-fuse-shards-8", "ribbon-shards-8",
        "xor-empty-shards", "ribbon-setting-1-1024", "windowed-bloom-timed", "cuckoo-two-chunks", "quotient-b2-r8",
        "bloom-text-0", "ribbon-text-0", "bloom-metadata-eight"}) {
    victim v = victim_called(name);
    lie(v, false);
    set_bits(v);
    fuzz(v, ++seed, 20);
  }
  harm_foreign_files(victim_called);
  tell_lies(victim_called, lies);
  return rows;
}

}  // namespace seen::kit
