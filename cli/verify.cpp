// seen verify: is the file whole, does it hold these keys, and how often is it wrong?
//
//   verify FILE          every checksum of the file; an unsealed file or a format without checksums is an error
//   verify FILE keys…    and no key is lost, and the rate measured on keys that are not in it
//   verify --recover     first repairs a file whose writable map was not closed
//
// The probe keys are 16 random bytes each from a fixed seed: the same in every run. The interval is the exact binomial
// one [Clopper & Pearson 1934] at 99.9 %: a filter that keeps its rate is outside once in a thousand runs.
#include <seen/any_filter.hpp>
#include <seen/math/binomial.hpp>

#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <memory>

#include "abilities.hpp"
#include "change.hpp"
#include "column_type.hpp"
#include "each_file.hpp"
#include "feed_in_order.hpp"
#include "filter_file.hpp"
#include "json.hpp"
#include "numbers.hpp"
#include "options.hpp"
#include "output.hpp"
#include "remarks.hpp"
#include "verb.hpp"
#include "words.hpp"

namespace seen::cli {
namespace {

struct verify_options {
  std::string path;
  std::vector<std::string> files;
  bool quick = false;
  std::string probes = "1e6";
  filter_options filter;
  key_options keys;
  bool recover = false;
  bool json = false;
  bool quiet = false;
};

struct measured_rate {
  std::uint64_t probes = 0;
  std::uint64_t hits = 0;
  double low = 0;
  double high = 1;

  [[nodiscard]] double rate() const { return static_cast<double>(hits) / static_cast<double>(probes); }
};

// The p at which `tail(p)`, which grows with p, passes `level`.
template <class Tail>
double where_tail_is(double level, Tail tail) {
  double low = 0, high = 1;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (tail(middle) < level ? low : high) = middle;
  }
  return (low + high) / 2;
}

void add_interval(measured_rate& m) {
  constexpr double each_side = 0.0005;
  if (m.hits != 0) {
    m.low = where_tail_is(each_side, [&](double p) { return math::binomial_at_least(m.probes, m.hits, p); });
  }
  if (m.hits != m.probes) {
    m.high = where_tail_is(1 - each_side, [&](double p) { return 1 - math::binomial_at_most(m.probes, m.hits, p); });
  }
}

// SplitMix64 [Steele, Lea, Flood 2014, "Fast Splittable Pseudorandom Number Generators"].
std::uint64_t next_random(std::uint64_t& state) {
  std::uint64_t x = state += 0x9e37'79b9'7f4a'7c15;
  x = (x ^ x >> 30) * 0xbf58'476d'1ce4'e5b9;
  x = (x ^ x >> 27) * 0x94d0'49bb'1331'11eb;
  return x ^ x >> 31;
}

measured_rate measure(const any_filter& filter, std::uint64_t probes) {
  constexpr std::size_t at_once = 4096;
  const std::size_t length = filter.origin().accepts == key_form::bytes ? 16 : 8;  // a number has 8
  std::vector<std::array<std::byte, 16>> bytes(at_once);
  std::vector<bytes_view> keys;
  for (const auto& each : bytes) keys.push_back(bytes_view(each).first(length));
  const auto answers = std::make_unique<bool[]>(at_once);
  std::uint64_t state = 0x5eed;
  measured_rate measured{.probes = probes};
  for (std::uint64_t done = 0; done < probes;) {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(at_once, probes - done));
    for (std::size_t i = 0; i < count; ++i) {
      store_le(bytes[i].data(), next_random(state));
      store_le(bytes[i].data() + 8, next_random(state));
    }
    measured.hits += filter.may_contain_many(std::span(keys).first(count), {answers.get(), count});
    done += count;
  }
  add_interval(measured);
  return measured;
}

struct loss {
  std::uint64_t keys = 0;
  std::uint64_t lost = 0;
};

// Asks for every key; the first lost ones are named on stderr.
result<loss> check_keys(const any_filter& filter, key_reader& reader, const verify_options& o) {
  constexpr std::size_t named = 10;
  struct answer {
    answer_buffer room;
    std::uint64_t lost = 0;
    std::vector<std::string> first;  // where and what they are
  };
  loss found;
  std::size_t told = 0;
  const auto ask = [&](const key_batch& batch, const key_reader& at, answer& to) -> result<void> {
    const std::span<bool> out = to.room.of(batch.keys.size());
    to.lost = batch.keys.size() - filter.may_contain_many(batch.keys, out);
    to.first.clear();
    for (std::size_t i = 0; to.first.size() < std::min<std::uint64_t>(named, to.lost); ++i) {
      if (!out[i]) to.first.push_back(at.where(batch.line_of(i)) + ": " + shown(batch.keys[i]));
    }
    return {};
  };
  const auto tell = [&](const answer& from) -> result<void> {
    found.lost += from.lost;
    for (std::size_t i = 0; i < from.first.size() && told < named; ++i, ++told) {
      remark(o.quiet, from.first[i] + " is not in " + o.path);
    }
    return {};
  };
  auto asked = feed_in_order<answer>(reader, {"verifying", !o.quiet}, ask, tell);
  if (!asked) return asked.error();
  found.keys = *asked;
  return found;
}

// Whether an error is what was found in the file, and not on the way to it.
bool speaks_of_content(errc code) {
  return code == errc::corrupt || code == errc::unsealed || code == errc::not_recognised || code == errc::newer_version;
}

const char* compared(const measured_rate& m, double expected) {
  if (expected > m.high) return "lower than expected";
  return expected < m.low ? "higher than expected" : "as expected";
}

// What was asked for may be another rate than that of a filter which is as full as this one.
std::string beside_asked(const measured_rate& m, const target& asked) {
  if (asked.capacity == 0 || m.low <= asked.fpr) return {};
  return fmt::format("; more than the {} that was asked for {}", short_number(asked.fpr),
                     keys_in_words(asked.capacity));
}

result<void> print_report(const verify_options& o, const filter_info& info, const loss* keys,
                          const measured_rate* rate) {
  // A kind without a fill tells its rate by the model.
  const double expected = info.fill ? info.fpr_now : info.fpr_at_capacity;
  if (o.json) {
    json document =
        json::object().add("file", o.path).add("format", info.format).add("checksums", info.origin.verified);
    if (keys != nullptr) document.add("keys", keys->keys).add("lost", keys->lost);
    if (rate != nullptr) {
      document.add("fpr", json::object()
                              .add("measured", rate->rate())
                              .add("low", rate->low)
                              .add("high", rate->high)
                              .add("expected", expected)
                              .add("asked", info.target.capacity != 0 ? json(info.target.fpr) : json())
                              .add("probes", rate->probes)
                              .add("hits", rate->hits));
    }
    return print(document.line() + '\n');
  }
  std::string text = o.path + (info.origin.verified ? ": every checksum matches\n"
                                                    : ": no checksums in the " + info.format + " format\n");
  if (keys != nullptr) {
    text += fmt::format("{}: {}\n", o.path,
                        keys->lost == 0 ? fmt::format("holds all of {}", keys_in_words(keys->keys))
                                        : fmt::format("lost {} of {}{}", grouped(keys->lost), keys_in_words(keys->keys),
                                                      kind_can(info.kind, &plan_row::can_forget)
                                                          ? " (it forgets: give it no more than its window)"
                                                          : doubt(info)));
  }
  if (rate != nullptr) {
    text += fmt::format("{}: rate {} ({} to {}) on {} that are not in it; expected {}: {}{}\n", o.path,
                        short_number(rate->rate()), short_number(rate->low), short_number(rate->high),
                        keys_in_words(rate->probes), short_number(expected), compared(*rate, expected),
                        beside_asked(*rate, info.target));
  }
  return print(text);
}

// What was compared is the header, its length and the table of checksums.
result<void> print_quick(const verify_options& o, const filter_info& info) {
  if (!o.json) return print(o.path + ": the header's checksums match; the body was not read (--quick)\n");
  const json document = json::object().add("file", o.path).add("format", info.format).add("checksums", "header");
  return print(document.line() + '\n');
}

result<void> recover(const verify_options& o, open_options open) {
  auto locked = locked_file::lock(o.path);
  if (!locked) return locked.error();
  open.recover = true;
  auto filter = locked->open(open, "recover", o.quiet);
  if (!filter) return filter.error();
  if (filter->origin().sealed) {
    remark(o.quiet, o.path + ": is sealed; nothing to recover");
    return {};
  }
  if (auto saved = locked->save(*filter, o.quiet); !saved) return saved;
  remark(o.quiet, o.path + ": sealed again");
  return {};
}

result<exit_status> verify_file(const verify_options& o, const open_options& open) {
  auto info = o.quick ? glance_at(o.path, open) : inspect_filter(o.path, open, o.quiet);
  if (!info) return info.error();
  if (!info->origin.sealed) return {errc::unsealed, o.path + ": a writable map of it was never sealed"};
  if (o.quick && !info->counted) {
    if (auto printed = print_quick(o, *info); !printed) return printed.error();
    return exit_status::yes;
  }
  if (!info->origin.verified) {
    return {errc::unsupported, o.path + ": the " + info->format + " format has no checksums; give the keys to verify"};
  }
  if (auto printed = print_report(o, *info, nullptr, nullptr); !printed) return printed.error();
  return exit_status::yes;
}

result<exit_status> verify(const verify_options& o) {
  auto format = o.keys.read(o.quiet);
  if (!format) return format.error();
  auto probes = parse_option("--probes-count", o.probes, parse_count);
  if (!probes) return probes.error();
  if (auto apart = stdout_spares({o.files, {o.path}, o.filter.secrets()}); !apart) return apart.error();
  auto open = o.filter.read();
  if (!open) return open.error();
  if (o.recover) {
    std::vector<std::string> kept = o.filter.secrets();
    kept.insert(kept.end(), o.files.begin(), o.files.end());
    if (auto apart = saving_spares(o.path, kept); !apart) return apart.error();
    if (auto recovered = recover(o, *open); !recovered) return recovered.error();
  }
  if (o.files.empty()) return verify_file(o, *open);

  auto filter = open_filter(o.path, *open, opening::checked, o.quiet);
  if (!filter) return filter.error();
  format->accepts = filter->origin().accepts;
  format->written = keys_written_in(o.path, *filter, *open);
  auto reader = key_reader::open(o.files, *format);
  if (!reader) return reader.error();
  warn_if_assumed(o.quiet, o.path, *filter);
  auto keys = check_keys(*filter, *reader, o);
  if (!keys) return keys.error();
  const measured_rate rate = *probes == 0 ? measured_rate{} : measure(*filter, *probes);
  if (auto printed = print_report(o, filter->info(), &*keys, *probes == 0 ? nullptr : &rate); !printed) {
    return printed.error();
  }
  return keys->lost == 0 ? exit_status::yes : exit_status::no;
}

result<exit_status> verify_and_tell(const verify_options& o) {
  auto verified = verify(o);
  // Whoever reads documents learns of a damaged file there, too.
  if (verified || !o.json || !speaks_of_content(verified.error().code)) return verified;
  const json document = json::object().add("file", o.path).add("error", error_in_json(verified.error()));
  if (auto printed = print(document.line() + '\n'); !printed) return printed.error();
  return verified;
}

// Further filters among the arguments are no lists of keys: each is verified, with the same lists.
result<exit_status> verify_all(const verify_options& o) {
  std::vector<std::string> filters{o.path}, lists;
  for (const std::string& each : o.files) {
    (!o.keys.plain && begins_as_filter(each) ? filters : lists).push_back(each);
  }
  if (o.quick && (o.recover || !lists.empty())) {
    return {errc::invalid_argument, "--quick: reads no bits, so it can neither ask for keys nor --recover"};
  }
  if (filters.size() == 1) return verify_and_tell(o);
  if (std::find(lists.begin(), lists.end(), dash) != lists.end()) {
    return {errc::invalid_argument, "standard input: is read once, for one filter: give the list as a file"};
  }
  return each_file(filters, [&](const std::string& path, bool) {
    verify_options one = o;
    one.path = path;
    one.files = lists;
    return verify_and_tell(one);
  });
}

}  // namespace

action define_verify(option_list& app) {
  auto o = std::make_shared<verify_options>();
  app.value({"filter", "the filter file", "FILE", need::required}, o->path);
  app.values({"files", "lists of keys that must be in it (- is standard input), or more filters", "FILE"}, o->files);
  app.value({"--probes-count", "how many absent keys to measure the rate with; 0: none (default 1e6)", "N"}, o->probes);
  app.flag({"--quick", "compare the checksums of the header alone; the bits are not read"}, o->quick);
  app.flag({"--recover", "seal a file whose writable map was not closed, in place"}, o->recover);
  app.flag({"--json", "one JSON document per filter, each on a line"}, o->json);
  o->filter.define(app);
  define_quiet(app, o->quiet);
  o->keys.define(app);
  app.footer(
      "Exit status: 0 verified, 1 a key was lost, 2 error.\n"
      "\n"
      "Examples:\n"
      "  seen verify users.seen                  the checksums\n"
      "  seen verify users.seen users.txt        and no key lost, and the rate with its interval\n"
      "  seen verify --quick *.seen              the headers alone, at any size\n"
      "  seen verify --recover crashed.seen");
  return [o] { return verify_all(*o); };
}

}  // namespace seen::cli
