// Files that other libraries wrote, each with a manifest of what the library itself answered.
//
//   golden/<format>/vectors.json   which files there are, how each is opened, and what can be done with it here
//   golden/<format>/X, X.json      a file, and its manifest: keys added, answers to absent keys, which probes hit
//   golden/keys.json               the keys that the manifests speak of
//
// An entry of vectors.json:
//   file               its name
//   detected           "certain", "likely", "fitting", "possible" or "no": what detection says of its content
//   unnamed            what it opens as without a name, where that is not its own format
//   keys, hash, part   options of opening, where it needs them; so is variant
//   writes             "same": saving gives the same bytes; "again": saving gives a file that answers the same; "no"
//   adds               false where it takes no more keys
//   loses              true where the peer's own filter may forget keys as others are added
//   make               capacity and fpr (and variant, kind, …): a filter made so, with the added keys, has the same bytes
//
// Of a manifest the tests read the following; the rest (peer, commit, license, …) says where the file came from.
//   keyset                     "bytes" or "u64": which lists of keys.json its keys are from
//   added_count                how many of the added keys are in it, the first ones
//   added_but_answered_false   numbers of those among them that the library says no to
//   absent_answers             what it said to the first of the absent keys: true, false or null (not asked)
//   probe_positives            the numbers of the probes that it said yes to, rising; without it no key but the added ones is asked for
//   probe_count                how many probes were asked, where that is neither 1000 nor the count in keys.json
#pragma once

#include <seen/registry.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <gtest/gtest.h>
#include <ostream>
#include <string>
#include <vector>

#include "support/native_image.hpp"
#include "support/vectors.hpp"

namespace seen::testing {

/// An entry of a vectors.json.
struct foreign_vector {
  std::string format;
  std::string path;
  json entry;

  [[nodiscard]] open_options options() const {
    return {.format = format,
            .hash = entry.value("hash", ""),
            .key_type = entry.value("keys", ""),
            .part = entry.value("part", ""),
            .variant = entry.value("variant", "")};
  }
  friend std::ostream& operator<<(std::ostream& out, const foreign_vector& v) { return out << v.path; }
};

/// "guava_n137p0_01_guava", for a test's name.
inline std::string vector_name(const foreign_vector& v) {
  std::string name = v.format + "_" + std::filesystem::path(v.path).filename().string() + v.entry.value("part", "") +
                     v.entry.value("variant", "");
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

/// The names of all formats but the native one.
inline std::vector<std::string> foreign_formats() {
  std::vector<std::string> names;
  for (const format_row* const row : formats()) {
    if (row->name != "native") names.emplace_back(row->name);
  }
  return names;
}

/// "bits_and_blooms", for a test's name.
inline std::string format_in_name(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

/// All entries of all formats, or of one.
inline std::vector<foreign_vector> foreign_vectors(const std::string& format = {}) {
  std::vector<foreign_vector> all;
  const std::filesystem::path golden = std::string(SEEN_TEST_DATA) + "/golden";
  std::vector<std::filesystem::path> folders(std::filesystem::directory_iterator(golden), {});
  std::sort(folders.begin(), folders.end());
  for (const auto& folder : folders) {
    if (!std::filesystem::exists(folder / "vectors.json")) continue;
    const json list = parse_file(folder / "vectors.json");
    if (!format.empty() && list["format"] != format) continue;
    for (const json& entry : list["files"]) {
      all.push_back({list["format"], folder / entry["file"].get<std::string>(), entry});
    }
  }
  return all;
}

/// A manifest's keys and answers. Keys are bytes; integers have become their 8 little-endian bytes.
struct expected_answers {
  std::vector<std::string> present;  ///< added keys
  std::vector<std::string> refused;  ///< added, and the peer answers no all the same
  std::vector<std::pair<std::string, bool>> others;
};

inline std::string as_bytes_of(std::uint64_t value) {
  std::string bytes;
  for (int i = 0; i < 8; ++i) bytes += static_cast<char>(value >> (8 * i));
  return bytes;
}

inline expected_answers read_answers(const std::string& path) {
  const json manifest = parse_file(path + ".json");
  const json keys = parse_file(std::string(SEEN_TEST_DATA) + "/golden/keys.json");
  const bool integers = manifest["keyset"] == "u64";
  const auto key_of = [&](const json& text) {
    return integers ? as_bytes_of(std::stoull(text.get<std::string>())) : unhex(text.get<std::string>());
  };
  const json& added = keys[integers ? "u64_added" : "added_hex"];
  const json& absent = keys[integers ? "u64_absent" : "absent_hex"];
  expected_answers expected;
  std::vector<std::size_t> denied;
  if (manifest.contains("added_but_answered_false")) {
    denied = manifest["added_but_answered_false"].get<std::vector<std::size_t>>();
  }
  for (std::size_t i = 0; i < manifest["added_count"].get<std::size_t>(); ++i) {
    const bool is_denied = std::find(denied.begin(), denied.end(), i) != denied.end();
    (is_denied ? expected.refused : expected.present).push_back(key_of(added[i]));
  }
  if (!manifest.contains("probe_positives")) return expected;  // the library was asked nothing else
  for (std::size_t i = 0; i < manifest["absent_answers"].size(); ++i) {
    const json& answer = manifest["absent_answers"][i];
    if (!answer.is_null()) expected.others.emplace_back(key_of(absent[i]), answer.get<bool>());
  }
  const auto hits = manifest["probe_positives"].get<std::vector<std::uint64_t>>();
  const auto probes = manifest.value("probe_count", integers ? keys["u64_probes"].value("count", 2000) : 1000);
  for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(probes); ++i) {
    const std::string key =
        integers ? as_bytes_of(i * 0xa076'1d64'78bd'642f + 0xe703'7ed1'a0b4'28db) : "probe-" + std::to_string(i);
    expected.others.emplace_back(key, std::binary_search(hits.begin(), hits.end(), i));
  }
  return expected;
}

}  // namespace seen::testing
