// The rounds: every row of every contender of a family once per round, in turns.
#include "harness.hpp"

#include <stdexcept>

#include "limits.hpp"

namespace seen::bench {
namespace {

// Which of the added keys the query i asks for, if it asks for one; and whether the query i of the row `half` does.
std::size_t drawn(std::size_t i, std::size_t n) {
  return mix(i) % n;
}
bool is_present_of_half(std::size_t i) {
  return mix(i) >> 63 != 0;
}

void measure(measurement& m, bool counts) {
  const double begin = running_ns();
  m.answer = m.run();
  const double spent = running_ns() - begin;
  if (counts) m.ns.push_back(spent / static_cast<double>(m.operations));
}

// Runs it uncounted for a while: a contender is not to pay for what the one before it left in the caches and of the clock rate.
// (With a slow one before it a lookup of a nanosecond takes a sixth longer for some milliseconds.)
void settle(const measurement& m) {
  for (const double begin = running_ns(); running_ns() - begin < 5e6;) (void)m.run();
}

// The rows that any of the entries has, each once, builds first.
std::vector<row_key> rows_of(std::span<const entry> entries) {
  std::vector<row_key> rows;
  for (const entry& e : entries) {
    for (const measurement& m : e.rows) {
      if (std::find(rows.begin(), rows.end(), m.row) == rows.end()) rows.push_back(m.row);
    }
  }
  std::stable_partition(rows.begin(), rows.end(), [](const row_key& r) { return r.call == "build"; });
  return rows;
}

void run_rounds(std::span<entry> entries, int rounds, bool large) {
  for (const row_key& row : rows_of(entries)) {
    const bool costly = large && row.call == "build";
    const int times = costly ? std::min(rounds, 2) - 1 : rounds;
    const bool warms = row.call == "build" && !costly;          // what settles needs no round for it
    for (int round = warms ? 0 : 1; round <= times; ++round) {  // round 0 warms up
      for (entry& e : entries) {
        for (measurement& m : e.rows) {
          if (m.row != row) continue;
          if (row.call != "build") settle(m);
          measure(m, round != 0);
        }
      }
    }
  }
}

void check_answers(const entry& e) {
  if (e.name == limit_name) return;
  for (const measurement& m : e.rows) {
    if (m.row.mix != "present" || m.answer == m.operations) continue;
    throw std::runtime_error(e.name + ", " + m.row.call + ": " + std::to_string(m.answer) + " of " +
                             std::to_string(m.operations) + " found: false negatives");
  }
}

}  // namespace

workload::workload(std::size_t n, std::size_t queries) {
  added.resize(n);
  for (std::size_t i = 0; i < n; ++i) added[i] = mix(i + 1);
  for (std::size_t i = 0; i < queries; ++i) {
    const std::uint64_t is_in = added[drawn(i, n)];
    const std::uint64_t is_not = absent_key(i);
    absent.push_back(is_not);
    half.push_back(is_present_of_half(i) ? is_in : is_not);
    present.push_back(is_in);
  }
}

const text_sets& workload::as_text(std::size_t words) const {
  if (!text_ || text_->words() != words) {
    text_.reset();
    text_ = std::make_unique<text_sets>(*this, words);
  }
  return *text_;
}

text_sets::text_sets(const key_sets<std::uint64_t>& integers, std::size_t words) : words_(words) {
  const auto view = [words](const std::uint64_t* at) {
    return std::string_view(reinterpret_cast<const char*>(at), words * sizeof *at);
  };
  const std::size_t n = integers.added.size();
  added_words_.reserve(n + words);
  added_words_ = integers.added;
  for (std::size_t i = 0; i < words; ++i) added_words_.push_back(mix(n + i + 1));
  added.reserve(n);
  for (std::size_t i = 0; i < n; ++i) added.push_back(view(&added_words_[i]));

  const std::size_t queries = integers.absent.size();
  query_words_.resize(3 * queries * words);
  std::uint64_t* at = query_words_.data();
  const auto ask = [&](std::vector<std::string_view>& row, bool is_in, std::size_t i) {
    const std::size_t from = is_in ? drawn(i, n) : 0;
    for (std::size_t w = 0; w < words; ++w) at[w] = is_in ? added_words_[from + w] : absent_key(i * words + w);
    row.push_back(view(at));
    at += words;
  };
  for (std::size_t i = 0; i < queries; ++i) ask(absent, false, i);
  for (std::size_t i = 0; i < queries; ++i) ask(half, is_present_of_half(i), i);
  for (std::size_t i = 0; i < queries; ++i) ask(present, true, i);
}

bool is_wanted(const std::string& only, const std::string& name) {
  return only.empty() || (',' + only + ',').find(',' + name + ',') != std::string::npos;
}

std::vector<record> run_families(const std::vector<family>& families, const run_options& options) {
  std::vector<record> records;
  for (const std::size_t n : options.sizes) {
    std::unique_ptr<workload> work;  // made when the first family wants it
    for (const family& each : families) {
      std::vector<entry> entries;
      for (const contender& c : each.contenders) {
        if (!is_wanted(options.only, c.name) && !is_wanted(options.only, each.name)) continue;
        if (options.progress) options.progress(std::to_string(n) + " keys, " + each.name + ": " + c.name);
        if (!work) work = std::make_unique<workload>(n, options.queries);
        entries.push_back(c.enter(*work));
      }
      if (entries.empty()) continue;
      entries.push_back(random_lines(each.limit_bits_per_key, *work));
      if (options.rows) {
        for (entry& e : entries) std::erase_if(e.rows, [&](const measurement& m) { return !options.rows(m.row); });
      }
      if (options.progress) options.progress(std::to_string(n) + " keys, " + each.name + ": rounds");
      // The limit reads queries of its own. Among the contenders it would push theirs out of the cache for whoever is next.
      const std::span<entry> all = entries;
      run_rounds(all.first(all.size() - 1), options.rounds, n > 10'000'000);
      run_rounds(all.last(1), options.rounds, n > 10'000'000);
      for (entry& e : entries) {
        check_answers(e);
        for (measurement& m : e.rows) {
          records.push_back({options.run, each.name, e.name, e.peer, n, m.row, std::move(m.ns), e.bits_per_key, e.fpr});
        }
      }
    }
  }
  return records;
}

}  // namespace seen::bench
