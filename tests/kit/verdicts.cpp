// verdicts.tsv: native files that lie under checksums that are right, and what becomes of each: loaded, mapped, verified,
// asked.
//
//   a good file ── a lie ──► load: ok or why not   map: ok or why not ── verify: ok or why not   answers
//
// hostile.tsv says what nobody may open. This table says the rest: what is opened although it is odd (another capacity, an
// entry of the future, a bit that nobody added, a body that was never sealed), and what only a map lets through because
// reading the body is left to verify. The lies:
//
//   numbers      any field of the header, any parameter of a segment
//   bodies       bits, bytes and lines changed, under the census that was there and under the one that is right now
//   padding      what lies behind the last byte in use
//   segments     links taken away, doubled and swapped; entries added
//   kinds        the file of one kind as that of another
//   seals        the same for files that were never sealed, opened to be recovered
//
// Of lies that neither load nor map believes every seventh is kept: hostile.tsv has thousands of them.
#include <seen/hash/xxh3.hpp>

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>
#include <utility>

#include "hostile/mutate.hpp"
#include "victim.hpp"

namespace seen::kit {

const row verdict_columns = {"base", "edits", "why", "recover", "probes", "load", "map", "verify", "answers"};

namespace {

namespace at = testing::at;
using testing::get;
using testing::native_image;
using testing::repair;

constexpr std::size_t longest_lie = 400;
// A kind of the future: its rows must not change when the next kind comes.
constexpr std::uint16_t nobodys_kind = 999;

template <class T>
std::string verdict_of(const result<T>& done) {
  return done ? "ok" : name_of(done.error().code);
}

// Lies about one file, and what the library makes of them.
class liar {
 public:
  liar(const test_case& c, const byte_vector& good, std::uint64_t seed, std::vector<row>& rows)
      : case_(c), good_(good), image_(native_image::of(good)), random_(seed), rows_(rows) {}

  void tell_all(bool about_the_header) {
    if (about_the_header) lie_about_header();
    lie_about_parameters();
    lie_about_bodies();
    lie_about_padding();
    lie_about_entries();
    lie_about_links();
    lie_about_kinds();
    lie_at_random();
  }

 private:
  const test_case& case_;
  const byte_vector& good_;
  const native_image image_;
  testing::rng random_;
  std::vector<row>& rows_;
  std::set<std::string> told_;
  std::uint64_t refused_ = 0;

  void tell(const byte_vector& bad, const std::string& why, bool recover = false) {
    const std::string edits = difference(good_, bad);
    if (edits.empty() || edits.size() > longest_lie || !told_.insert((recover ? "r" : "") + edits).second) return;
    if (edited(good_, edits) != bad) fail(case_.name + ": edits that make something else: " + edits);
    open_options how = case_.how_to_open();
    how.recover = recover;
    const key_set probes{"text", 0, 500};
    const auto loaded = any_filter::from_bytes(bad, how);
    const auto mapped = any_filter::view(bad, how);
    if (!loaded && !mapped && ++refused_ % 7 != 0) return;
    std::string answers;
    // Bytes that break the rules of a quotient filter answer anything: its lookups take shortcuts that rest on them.
    if (mapped && (loaded || mapped->kind() != "quotient"))
      answers = in_hex(xxh3_64()(answers_of(*mapped, probes)).value);
    if (loaded && (!mapped || answers != in_hex(xxh3_64()(answers_of(*loaded, probes)).value))) {
      fail(case_.name + ": loaded and mapped differ: " + edits);
    }
    rows_.push_back({case_.file(), edits, why, recover ? "1" : "", probes.text(), verdict_of(loaded),
                     verdict_of(mapped), mapped ? verdict_of(mapped->verify()) : "", answers});
  }

  void repaired(byte_vector bad, const std::string& why) {
    (void)repair(bad);
    tell(bad, why);
  }

  // The same file, left unsealed.
  static byte_vector unsealed(byte_vector file) {
    const std::size_t header = get<std::uint32_t>(file, at::header_bytes);
    std::memcpy(file.data() + header - at::seal_word, "unsealed", 8);
    return file;
  }

  // A body under the census that was there, under the right one, and without a seal.
  void with_body(const byte_vector& body, const std::string& why) {
    native_image bad = image_;
    bad.body = body;
    tell(bad.encode(), why + ", old census");
    tell(unsealed(bad.encode()), why + ", unsealed", true);
    recount(bad);
    tell(bad.encode(), why + ", right census");
  }

  std::vector<std::uint64_t> lies_about(std::uint64_t truth) {
    std::vector<std::uint64_t> lies = {0,
                                       1,
                                       2,
                                       3,
                                       4,
                                       8,
                                       16,
                                       63,
                                       64,
                                       truth - 1,
                                       truth + 1,
                                       2 * truth,
                                       truth / 2,
                                       truth - 64,
                                       truth + 64,
                                       ~truth,
                                       std::uint64_t{1} << 40};
    for (const double real : {0.25, 0.5, 1e-9, 2.0, -0.0}) lies.push_back(std::bit_cast<std::uint64_t>(real));
    for (int i = 0; i < 3; ++i) lies.push_back(testing::nasty(random_, good_.size()));
    return lies;
  }

  void lie_about(const number_field& f) {
    for (const std::uint64_t lie : lies_about(get(good_, f))) {
      byte_vector bad = good_;
      testing::set(bad, f, lie);
      repaired(bad, f.name);
    }
  }

  void lie_about_header() {
    for (const number_field& f : testing::header_fields) {
      if (f.offset != 0) lie_about(f);  // without its magic it is not a native file
    }
    const std::size_t header = get<std::uint32_t>(good_, at::header_bytes);
    for (std::size_t byte = header - at::trailer; byte < header; byte += 5) {
      byte_vector bad = unsealed(good_);
      bad[byte] ^= std::byte{4};
      tell(bad, "trailer of an unsealed file", true);
    }
    byte_vector bad = unsealed(good_);
    bad.back() ^= std::byte{1};
    tell(bad, "page table of an unsealed file", true);
    tell(unsealed(good_), "unsealed");
    bad = good_;
    bad[at::capacity] ^= std::byte{1};
    (void)repair(bad);
    tell(bad, "sealed, to be recovered", true);
  }

  // Parameters of the first segments and of the last: chains repeat themselves.
  void lie_about_parameters() {
    std::size_t offset = at::entries;
    for (std::size_t e = 0; e < image_.entries.size(); ++e) {
      const auto& entry = image_.entries[e];
      if (entry.tag == 1 && (e < 2 || e + 1 == image_.entries.size())) {
        for (std::size_t i = 16; i < entry.value.size(); i += 8) lie_about({"parameter", offset + 8 + i, 8});
      }
      offset += 8 + (entry.value.size() + 7) / 8 * 8;
    }
  }

  void lie_about_bodies() {
    if (image_.body.empty()) return;
    const auto anywhere = [&] { return static_cast<std::size_t>(random_.below(image_.body.size())); };
    for (int i = 0; i < 8; ++i) {
      byte_vector body = image_.body;
      body[anywhere()] ^= static_cast<std::byte>(1 << random_.below(8));
      with_body(body, "a bit");
      body = image_.body;
      body[anywhere()] = static_cast<std::byte>(random_());
      body[anywhere()] = std::byte{0};
      with_body(body, "two bytes");
    }
    for (int i = 0; i < 4; ++i) {
      const std::size_t line = anywhere() / 64 * 64;
      byte_vector body = image_.body;
      const std::uint64_t word = testing::nasty(random_, body.size());
      for (std::size_t j = 0; j < 8; ++j) body[line + 8 * i + j] = static_cast<std::byte>(word >> (8 * j));
      with_body(body, "a word");
      body = image_.body;
      for (std::size_t j = 0; j < 64; ++j) body[line + j] = i == 0 ? std::byte{0} : static_cast<std::byte>(random_());
      with_body(body, "a line");
    }
    with_body(byte_vector(image_.body.size()), "zeros");
    if (image_.body.size() <= 192) with_body(byte_vector(image_.body.size(), std::byte{0xff}), "ones");
  }

  void lie_about_padding() {
    if (image_.body.empty()) return;
    for (std::size_t back = 1; back <= 64; back += back < 8 ? 1 : 8) {
      byte_vector body = image_.body;
      body[body.size() - back] |= std::byte{0x80};
      with_body(body, "the end");
    }
  }

  void with(const std::function<void(native_image&)>& change, const std::string& why) {
    native_image bad = image_;
    change(bad);
    tell(bad.encode(), why);
  }

  void lie_about_entries() {
    for (const std::uint64_t census : {std::uint64_t{0}, image_.census + 1, ~image_.census}) {
      with([&](native_image& i) { i.census = census; }, "census");
    }
    with([](native_image& i) { i.entries.push_back({77, 0, byte_vector(8)}); }, "an entry of the future");
    with([](native_image& i) { i.entries.push_back({77, 1, byte_vector(8)}); }, "an entry that must be understood");
    with([](native_image& i) { i.entries.push_back({77, 6, {}}); }, "an empty entry with other flags");
    with([](native_image& i) { i.entries.push_back({2, 0, byte_vector(5, std::byte{'m'})}); }, "metadata");
    with(
        [](native_image& i) {
          i.entries.insert(i.entries.begin(), {2, 0, byte_vector(9, std::byte{'m'})});
        },
        "metadata first");
    with(
        [](native_image& i) {
          i.entries.push_back({2, 0, byte_vector(5, std::byte{'m'})});
          i.entries.push_back({2, 0, {}});
        },
        "metadata twice");
    with([](native_image& i) { i.entries.push_back({3, 0, byte_vector(16, std::byte{7})}); }, "a secret");
    with([](native_image& i) { i.entries.push_back({3, 1, byte_vector(16)}); }, "a secret that must be understood");
    with([](native_image& i) { i.entries.push_back(native_image::segment(i.body.size(), 0, {})); }, "an empty segment");
    with([](native_image& i) { i.minor = 7; }, "a later minor version");
    with([](native_image& i) { i.entries[0].flags = 0; }, "a segment that need not be understood");
  }

  // Chains have links, all others one segment, and must refuse these.
  void lie_about_links() {
    const auto cells = [](const testing::image_entry& e) {
      std::vector<std::uint64_t> fields;
      for (std::size_t i = 16; i < e.value.size(); i += 8) fields.push_back(get<std::uint64_t>(e.value, i));
      return fields;
    };
    const auto& last = image_.entries.back();
    if (last.tag != 1) return;
    const auto offset = get<std::uint64_t>(last.value, 0), length = get<std::uint64_t>(last.value, 8);
    const auto begin = image_.body.begin() + static_cast<std::ptrdiff_t>(offset);
    const byte_vector bytes(begin, begin + static_cast<std::ptrdiff_t>(length));
    native_image bad = image_;
    bad.entries.pop_back();
    bad.body.resize(static_cast<std::size_t>(offset));
    recount(bad);
    tell(bad.encode(), "without the last segment");
    bad = image_;
    bad.entries.push_back(native_image::segment(image_.body.size(), length, cells(last)));
    bad.body.insert(bad.body.end(), bytes.begin(), bytes.end());
    recount(bad);
    tell(bad.encode(), "the last segment twice");
    if (image_.entries.size() < 3) return;
    bad = image_;
    const auto& before = image_.entries[image_.entries.size() - 2];
    const auto first = get<std::uint64_t>(before.value, 0), size = get<std::uint64_t>(before.value, 8);
    bad.entries[bad.entries.size() - 2] = native_image::segment(first, length, cells(last));
    bad.entries.back() = native_image::segment(first + length, size, cells(before));
    const auto from = bad.body.begin() + static_cast<std::ptrdiff_t>(first);
    std::rotate(from, from + static_cast<std::ptrdiff_t>(size), bad.body.end());
    tell(bad.encode(), "the last two segments swapped");
  }

  // The census of a changed image, where it can be had.
  void recount(native_image& bad) const {
    open_options how = case_.how_to_open();
    how.recover = true;
    if (const auto recovered = any_filter::from_bytes(unsealed(bad.encode()), how)) {
      const byte_vector sealed = need(recovered->to_bytes({}), case_.name);
      bad.census = get<std::uint64_t>(sealed, get<std::uint32_t>(sealed, at::header_bytes) - at::census);
    }
  }

  void lie_about_kinds() {
    std::vector<std::uint16_t> others(16);  // none, and the first fifteen
    std::iota(others.begin(), others.end(), std::uint16_t{0});
    others.push_back(nobodys_kind);
    for (const std::uint16_t kind : others) {
      native_image bad = image_;
      bad.kind = bad.index_rule = kind;
      tell(bad.encode(), "another kind");
      recount(bad);
      tell(bad.encode(), "another kind and its census");
    }
  }

  void lie_at_random() {
    for (int i = 0; i < 60; ++i) {
      byte_vector bad = good_;
      for (std::uint64_t changes = 1 + random_.below(2); changes != 0; --changes) testing::mutate(bad, random_);
      repaired(bad, "random");
    }
  }
};

}  // namespace

std::vector<row> verdict_rows(const std::vector<test_case>& cases, const std::map<std::string, byte_vector>& files) {
  constexpr const char* others[] = {"scalable-bloom-one-key-links",
                                    "growing-cuckoo-grown",
                                    "binary-fuse-shards-8",
                                    "ribbon-shards-8",
                                    "xor-empty-shards",
                                    "ribbon-setting-1-1024",
                                    "windowed-bloom-timed",
                                    "cuckoo-two-chunks",
                                    "quotient-b2-r8",
                                    "bloom-text-0",
                                    "ribbon-text-0",
                                    "bloom-metadata-eight"};
  std::vector<row> rows;
  std::uint64_t seed = 1000;
  for (const test_case& c : cases) {
    const bool is_small = c.format == "native" && c.name.ends_with("-text-20");
    if (!is_small && std::find(std::begin(others), std::end(others), c.name) == std::end(others)) continue;
    liar(c, files.at(c.file()), ++seed, rows).tell_all(c.kind == "bloom" || c.kind == "quotient");
  }
  return rows;
}

}  // namespace seen::kit
