// What a benchmark run leaves behind: one record for every row of every filter, with the time of every round.
//
//   run ──► records ──► JSON (one array) ──► records ──► tables, targets, plots
//             ▲
//             └── JSON lines of the programs in other languages
//
// Rounds are kept, not only their median: contenders take turns, so round i of one and round i of another ran next to each
// other, and the ratio of the two says more than the ratio of two medians.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace seen::bench {

/// The call and its keys. An empty word where there is nothing to say.
struct row_key {
  std::string call;     ///< build, single, batch, dependent, add, contains, both, known, hash, open, peak
  std::string mix;      ///< absent, half, present
  std::string queries;  ///< streamed, cached
  unsigned threads = 1;

  friend bool operator==(const row_key&, const row_key&) = default;
};

/// One row of one filter.
struct record {
  std::string run =
      {};  ///< which program, built for what, on which targets: "native", "baseline", "avx2", "scalar", "go"
  std::string family = {};  ///< filters that are compared with each other: "block", "classic", …
  std::string filter = {};  ///< its name
  std::string peer = {};    ///< the names of those it is compared with, with commas; empty for peers
  std::uint64_t keys = 0;
  row_key row = {};
  std::vector<double> ns = {};  ///< nanoseconds per key, one number per round, or per process: `merged`
  double bits_per_key = 0;
  double fpr = 0;  ///< measured
};

/// The middle one of the values; 0 of none.
double median(std::vector<double> values);

/// Bits per key over the least that any filter needs at the measured rate, log2(1/fpr); 0 if no rate was measured.
double over_lower_bound(const record& r);

/// How many times faster, round by round: the median, and the 10th and 90th percentile.
struct ratio {
  double median = 0, low = 0, high = 0;
};
/// theirs / ours of rounds that ran next to each other.
ratio ratios(const std::vector<double>& theirs, const std::vector<double>& ours);

/// Where filters can be compared: in one run, in one family, at one size.
struct place {
  std::string run, family;
  std::uint64_t keys = 0;

  friend bool operator==(const place&, const place&) = default;
};
/// The record of a row of a filter there; null where there is none.
const record* find(const std::vector<record>& records, const place& at, const std::string& filter, const row_key& row);
/// The other side of a row of ours: the fastest of the same row of these peers (names with commas) and, for a batch, of their
/// rows of single keys; null where there is none.
const record* counterpart(const std::vector<record>& records, const record& ours, const std::string& peers);

/// The records of the same run in several processes as those of one: a row has one number per process, the median of its
/// rounds there. Throws std::runtime_error if they are not the same rows.
std::vector<record> merged(const std::vector<std::vector<record>>& processes);

/// The words of a list with commas.
std::vector<std::string> words_of(const std::string& list);

/// The runs of the records, each once.
std::vector<std::string> runs_of(const std::vector<record>& records);

/// Records as a JSON array, one per line.
std::string to_json(const std::vector<record>& records);
/// Records of a JSON array or of JSON lines; lines that are neither are skipped. (Not in `seen bench`.)
std::vector<record> from_json(const std::string& text);

}  // namespace seen::bench
