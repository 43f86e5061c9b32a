// What `make demo` shows: a million keys go into a filter file, a stream of known and unknown keys is asked of it, and the
// promises are checked. Takes the path of the command.
#include <seen/filters/blocked_bloom.hpp>
#include <seen/io.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr std::uint64_t keys = 1'000'000;
constexpr double promised = 0.01;

std::string known(std::uint64_t i) {
  return "https://example.org/article/" + std::to_string(i);
}
std::string unknown(std::uint64_t i) {
  return "https://example.org/draft/" + std::to_string(i);
}

void write_lines(const std::string& path, const std::vector<std::string>& lines) {
  std::FILE* const out = std::fopen(path.c_str(), "w");
  if (out == nullptr) {
    std::perror(path.c_str());
    std::exit(2);
  }
  for (const auto& line : lines) std::fprintf(out, "%s\n", line.c_str());
  std::fclose(out);
}

void run(const std::string& shown, const std::string& command) {
  std::printf("\n  $ %s\n", shown.c_str());
  std::fflush(stdout);
  if (std::system(command.c_str()) != 0) std::exit(2);
}

// Nanoseconds per key, the best of five rounds. The count that the work returns is kept, so that the compiler cannot skip it.
template <class Work>
double timed(Work work) {
  double best = 1e9;
  for (int round = 0; round < 5; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    const std::uint64_t kept = work();
    asm volatile("" : : "r"(kept));
    const std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - begin;
    best = std::min(best, spent.count() / keys);
  }
  return best;
}

// 64 columns, each a share of the table, shaded by how many of its bits are set.
void draw_fill(const seen::blocked_bloom& f) {
  constexpr std::string_view shades[] = {" ", "░", "▒", "▓", "█"};
  const auto words = f.words();
  std::printf("  fill      |");
  for (std::size_t column = 0; column < 64; ++column) {
    const std::size_t begin = words.size() * column / 64, end = words.size() * (column + 1) / 64;
    std::uint64_t set = 0;
    for (std::size_t i = begin; i < end; ++i) set += static_cast<std::uint64_t>(__builtin_popcountll(words[i]));
    const double share = static_cast<double>(set) / (64.0 * static_cast<double>(end - begin));
    std::printf("%s", shades[std::min(4, static_cast<int>(share * 5))].data());
  }
  std::printf("| %.1f %% of the bits are set\n", 100 * f.fill());
}

}  // namespace

int main(int argc, char** argv) {
  const std::string seen_command = argc > 1 ? std::filesystem::absolute(argv[1]).string() : "seen";
  std::string folder = (std::filesystem::temp_directory_path() / "seen-demo-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) {
    std::perror(folder.c_str());
    return 2;
  }
  std::filesystem::current_path(folder);

  std::vector<std::string> in, out;
  for (std::uint64_t i = 0; i < keys; ++i) in.push_back(known(i));
  for (std::uint64_t i = 0; i < keys; ++i) out.push_back(unknown(i));
  std::vector<std::string> stream;
  for (std::uint64_t i = 0; i < keys; ++i) stream.push_back(i % 2 ? in[i] : out[i]);
  write_lines("known.txt", in);
  write_lines("stream.txt", stream);
  std::printf("known.txt holds a million addresses; stream.txt holds a million to look up, half of them known.\n");

  run("seen build --fpr 1% -o known.seen known.txt", "'" + seen_command + "' build --fpr 1% -o known.seen known.txt");
  run("seen query known.seen < stream.txt | wc -l", "'" + seen_command + "' query known.seen < stream.txt | wc -l");
  run("seen info known.seen", "'" + seen_command + "' info known.seen");

  const auto mapped = seen::map<seen::blocked_bloom>("known.seen").value();
  const seen::blocked_bloom& f = *mapped;

  std::uint64_t lost = 0, wrong = 0;
  for (const auto& key : in) lost += !f.may_contain(key);
  for (const auto& key : out) wrong += f.may_contain(key);
  const double rate = static_cast<double>(wrong) / keys;
  const double error = 1.96 * std::sqrt(rate * (1 - rate) / keys);
  const auto answers = std::make_unique<bool[]>(keys);
  const double single = timed([&] {
    std::uint64_t found = 0;
    for (const auto& key : out) found += f.may_contain(key);
    return found;
  });
  const double batch = timed([&] { return f.may_contain_many(out, {answers.get(), keys}); });

  std::printf("\nThe same from C++, over the mapped file:\n\n");
  std::printf("  false negatives     %llu of %llu\n", static_cast<unsigned long long>(lost),
              static_cast<unsigned long long>(keys));
  std::printf("  false positives     %.3f %% +- %.3f (95 %%), promised %.3f %%\n", 100 * rate, 100 * error,
              100 * f.shape().expected_fpr(keys));
  std::printf("  size                %.2f bits per key, %.2f MiB (known.txt: %.1f MiB)\n",
              8.0 * static_cast<double>(f.engine().bytes().size()) / keys,
              static_cast<double>(f.engine().bytes().size()) / (1 << 20),
              static_cast<double>(std::filesystem::file_size("known.txt")) / (1 << 20));
  std::printf("  one lookup          %.1f ns one by one, %.1f ns in batches (32-byte keys, hashing included)\n\n",
              single, batch);
  draw_fill(f);
  const bool kept = lost == 0 && std::abs(rate - f.shape().expected_fpr(keys)) < 6 * std::sqrt(promised / keys);
  std::printf("\n%s\n", kept ? "No key was lost and the rate is the promised one." : "A PROMISE WAS BROKEN.");
  std::filesystem::remove_all(folder);
  return kept ? 0 : 1;
}
