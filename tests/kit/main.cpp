// seen_kit: the kit's generator, and the driver that every language has.
//
//   seen_kit generate KIT     writes the tables and files of the kit into the folder KIT
//   seen_kit check KIT        makes them again and compares
//   seen_kit write KIT OUT    makes the filters of KIT/cases.tsv and saves them as OUT/<name>
//   seen_kit read KIT IN OUT  opens IN/<name>, asks the probes, and writes the answers to OUT/<name>
//   seen_kit add FILE KEYS    adds keys to a bloom, blocked-bloom or split-block where it is, piece by piece; after a line on
//                             standard input seals it. What others see of a file meanwhile is tests/languages' question
#include <seen/filters/blocked_bloom.hpp>
#include <seen/filters/bloom.hpp>
#include <seen/filters/split_block.hpp>
#include <seen/hash/xxh3.hpp>
#include <seen/io.hpp>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <string_view>

#include "kit.hpp"

namespace seen::kit {
namespace {

namespace fs = std::filesystem;

const row size_columns{"kind", "capacity", "fpr", "fields"};

bool is_set(bytes_view bits, std::uint64_t i) {
  return (static_cast<unsigned>(bits[static_cast<std::size_t>(i / 8)]) >> (i % 8) & 1) != 0;
}

// "past-capacity,above-fpr"
std::string findings(const filter_health& health) {
  std::string all;
  const auto add = [&](bool found, const char* name) {
    if (found) all += (all.empty() ? "" : ",") + std::string(name);
  };
  add(health.saturated, "saturated");
  add(health.past_capacity, "past-capacity");
  add(health.above_fpr, "above-fpr");
  return all;
}

// Every file of the kit by its path in it, made again.
std::map<std::string, byte_vector> make_kit(const fs::path& kit) {
  const std::vector<test_case> cases = case_list();
  std::vector<row> rows;
  std::map<std::string, byte_vector> files;
  for (const test_case& c : cases) {
    const byte_vector file = need(make_file(c), c.name);
    if (!files.try_emplace(c.file(), file).second) fail("two cases are called " + c.name);
    const any_filter f = need(any_filter::from_bytes(file, c.how_to_open()), c.name);
    const byte_vector bits = answers_of(f, c.probes);
    const std::uint64_t end = c.keys.from + c.keys.count;
    for (std::uint64_t i = end - c.remembered(); i < end; ++i) {
      if (!is_set(bits, i - c.probes.from)) fail(c.name + " does not find key " + std::to_string(i));
    }
    std::uint64_t yes = 0;
    for (const std::byte b : bits) yes += static_cast<std::uint64_t>(std::popcount(static_cast<unsigned char>(b)));
    row cells = c.cells();
    cells.push_back(c.file());
    cells.push_back(std::to_string(yes));
    cells.push_back(in_hex(xxh3_64()(bits).value));
    cells.push_back(in_hex(bytes_view(bits).first(std::min<std::size_t>(bits.size(), 128))));
    cells.push_back(findings(f.health()));
    rows.push_back(cells);
  }
  const auto hostile = hostile_rows(cases, files, kit / "../formats/lies");
  const auto verdicts = verdict_rows(cases, files);
  files["cases.tsv"] = table_bytes(case_columns, rows);
  files["sizes.tsv"] = table_bytes(size_columns, size_rows());
  files["portable_sizes.tsv"] = table_bytes({"capacity", "fpr", "bits", "probes"}, portable_size_rows());
  files["hashes.tsv"] = table_bytes({"hash", "seed", "secret", "key", "digest"}, hash_rows());
  files["hostile.tsv"] = table_bytes({"base", "edits", "why"}, hostile);
  files["verdicts.tsv"] = table_bytes(verdict_columns, verdicts);
  return files;
}

void generate(const fs::path& kit) {
  fs::create_directories(kit / "files");
  for (const auto& [name, bytes] : make_kit(kit)) write_bytes(kit / name, bytes);
}

// The first line in which two texts differ, for the message.
std::string first_difference(const byte_vector& now, const byte_vector& then) {
  const auto lines = [](const byte_vector& bytes) {
    return split(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()), '\n');
  };
  const auto is = lines(now), was = lines(then);
  std::size_t i = 0;
  while (i < is.size() && i < was.size() && is[i] == was[i]) ++i;
  const auto line = [&](const std::vector<std::string>& all) {
    return i < all.size() ? all[i].substr(0, 200) : "nothing";
  };
  return "line " + std::to_string(i + 1) + "\n  was " + line(was) + "\n  is  " + line(is);
}

// sizes.tsv as this machine may write it: one of 32 bits does not plan what it cannot address, and says so with an empty field.
byte_vector sizes_here(const fs::path& table, const byte_vector& made) {
  const auto lines = split(std::string_view(reinterpret_cast<const char*>(made.data()), made.size()), '\n');
  std::vector<row> rows;
  for (const auto& cells : read_table(table)) {
    const row planned{cells.at("kind"), cells.at("capacity"), cells.at("fpr"), cells.at("fields")};
    row refused = planned;
    refused.back().clear();
    const std::size_t line = rows.size() + 1;  // after the names
    const bool is_refused = line < lines.size() && split(lines[line], '\t') == refused;
    rows.push_back(is_refused && !is_addressable(cells) ? refused : planned);
  }
  return table_bytes(size_columns, rows);
}

void check(const fs::path& kit) {
  const auto made = make_kit(kit);
  std::vector<std::string> changed;
  for (const auto& [name, bytes] : made) {
    if (!fs::exists(kit / name)) {
      changed.push_back(name + " is not there");
    } else if (const byte_vector there = name == "sizes.tsv" ? sizes_here(kit / name, bytes) : read_bytes(kit / name);
               there != bytes) {
      changed.push_back(name + " changed" + (name.ends_with(".tsv") ? ", " + first_difference(bytes, there) : ""));
    }
  }
  for (const auto& each : fs::directory_iterator(kit / "files")) {
    const std::string name = "files/" + each.path().filename().string();
    if (!made.contains(name)) changed.push_back(name + " belongs to no case");
  }
  if (changed.empty()) return;
  for (const std::string& each : changed) std::fprintf(stderr, "%s\n", each.c_str());
  fail("the library makes another kit: did we mean to? `seen_kit generate " + kit.string() +
       "` writes it; a new kind, hash or format adds rows and files, and changes none");
}

void write(const fs::path& kit, const fs::path& out) {
  for (const auto& cells : read_table(kit / "cases.tsv")) {
    const test_case c = test_case::parse(cells);
    write_bytes(out / c.name, need(make_file(c), c.name));
    std::printf("%s\n", c.name.c_str());
  }
}

// Native files through a memory map and into memory in turns.
void read(const fs::path& kit, const fs::path& in, const fs::path& out) {
  bool mapped = false;
  for (const auto& cells : read_table(kit / "cases.tsv")) {
    const test_case c = test_case::parse(cells);
    mapped = !mapped;
    if (!fs::exists(in / c.name)) continue;
    const auto open = mapped && c.format == "native" ? any_filter::map : any_filter::load;
    const any_filter f = need(open((in / c.name).string(), c.how_to_open()), c.name);
    write_bytes(out / c.name, answers_of(f, c.probes));
    std::printf("%s\n", c.name.c_str());
  }
}

// False: FILE holds another kind of filter.
template <class F>
bool add_in_place(const std::string& path, const key_list& keys) {
  auto opened = map_writable<F>(path);
  if (!opened && opened.error().code == errc::wrong_kind) return false;
  auto file = need(std::move(opened), path);
  for (std::size_t i = 0; i < keys.views.size(); ++i) {
    file.add(keys.views[i]);
    if (i % 64 == 63) need(file.sync(), path);
  }
  need(file.sync(), path);
  std::printf("synced\n");
  std::fflush(stdout);
  (void)std::getchar();
  need(std::move(file).seal(), path);
  std::printf("sealed\n");
  return true;
}

void add(const std::string& path, const key_set& set) {
  const key_list& keys = keys_of(set);
  if (!add_in_place<bloom>(path, keys) && !add_in_place<blocked_bloom>(path, keys) &&
      !add_in_place<split_block>(path, keys)) {
    fail(path + ": keys are added in place to bloom, blocked-bloom and split-block only");
  }
}

}  // namespace
}  // namespace seen::kit

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() == 2 && words[0] == "generate") {
    seen::kit::generate(words[1]);
  } else if (words.size() == 2 && words[0] == "check") {
    seen::kit::check(words[1]);
  } else if (words.size() == 3 && words[0] == "write") {
    seen::kit::write(words[1], words[2]);
  } else if (words.size() == 4 && words[0] == "read") {
    seen::kit::read(words[1], words[2], words[3]);
  } else if (words.size() == 3 && words[0] == "add") {
    seen::kit::add(words[1], seen::kit::key_set::parse(words[2]));
  } else {
    std::fprintf(stderr,
                 "usage: seen_kit generate KIT | check KIT | write KIT OUT | read KIT IN OUT | add FILE KEYS\n");
    return 1;
  }
}
