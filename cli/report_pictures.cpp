// Every number that is drawn also stands in words: in the caption, or under the pointer.
#include "report_pictures.hpp"

#include <seen/math/block_fill.hpp>
#include <seen/math/sizing.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/core.h>

#include "chart.hpp"
#include "html.hpp"
#include "info_json.hpp"
#include "words.hpp"

namespace seen::cli {
namespace {

std::string percent(double share) {
  return short_number(100 * share) + " %";
}

// Of an axis: 0, 5, 10, …, the sign being in its title.
std::string percent_label(double share) {
  return short_number(std::round(1e7 * share) / 1e5);
}

std::string figure(const char* heading, const std::string& drawing, const std::string& caption) {
  return fmt::format("<figure>\n<h2>{}</h2>\n{}<figcaption>{}</figcaption>\n</figure>\n", heading, drawing,
                     html(caption));
}

const surveyed_table& largest(const filter_survey& survey) {
  return *std::max_element(
      survey.tables.begin(), survey.tables.end(),
      [](const surveyed_table& a, const surveyed_table& b) { return a.whole.places < b.whole.places; });
}

std::string region_in_words(const surveyed_table& table, std::size_t i, std::string_view place) {
  const counted_places& region = table.regions[i];
  return fmt::format("region {} of {}: {} of {} {}s, {}, {:+.1f} sigma", i + 1, table.regions.size(),
                     grouped(region.used), grouped(region.places), place, percent(region.fill()),
                     table.deviation(region));
}

std::string drawn_regions(const surveyed_table& table, std::string_view place) {
  const double mean = table.whole.fill(), sigma = table.sigma(table.regions.front().places);
  double low = mean - 4.5 * sigma, high = mean + 4.5 * sigma;
  for (const counted_places& each : table.regions) {
    low = std::min(low, each.fill());
    high = std::max(high, each.fill());
  }
  if (!(high > low)) low -= 0.01, high += 0.01;
  const auto count = static_cast<double>(table.regions.size());
  chart picture(fmt::format("How full each of {} regions is", table.regions.size()), 230,
                {.low = 0, .high = 1, .title = "place in the table, % of its length", .label = percent_label},
                {.low = std::max(0.0, low),
                 .high = std::min(1.0, high),
                 .title = fmt::format("{}s in use, %", place),
                 .label = percent_label});
  picture.band(std::max(0.0, mean - 3 * sigma), std::min(1.0, mean + 3 * sigma), "band");
  picture.grid();
  picture.level(mean, "expected");
  for (std::size_t i = 0; i < table.regions.size(); ++i) {
    const bool odd = table.is_odd(table.regions[i]);
    picture.dot({(static_cast<double>(i) + 0.5) / count, table.regions[i].fill()}, odd ? 4 : 2, odd ? "odd" : "dot",
                region_in_words(table, i, place));
  }
  return picture.svg();
}

// A row per table, its regions coloured by how many sigmas they are off.
std::string drawn_rows(const filter_survey& survey, std::size_t shown_tables) {
  constexpr double row = 16, above = 22, below = 40;
  const auto rows = static_cast<double>(shown_tables);
  chart picture("Regions by how far they are from the mean", above + below + row * rows, {.low = 0, .high = 1},
                {.low = 0, .high = rows}, 84);
  for (std::size_t t = 0; t < shown_tables; ++t) {
    const surveyed_table& table = survey.tables[t];
    const double y = rows - static_cast<double>(t);
    picture.text({0, y - 0.5}, -6, 4, "end", "label",
                 (survey.tables.size() > 1 ? fmt::format("{}: ", t + 1) : std::string()) + percent(table.whole.fill()));
    const auto count = static_cast<double>(table.regions.size());
    for (std::size_t i = 0; i < table.regions.size(); ++i) {
      const int step = std::clamp(static_cast<int>(std::lround(table.deviation(table.regions[i]))), -4, 4);
      picture.rectangle({static_cast<double>(i) / count, y - 0.9}, {static_cast<double>(i + 1) / count, y},
                        fmt::format("heat{}", step + 4).c_str(), region_in_words(table, i, survey.place));
    }
  }
  picture.text({0, 0}, 0, 20, "start", "label", "sigmas from the mean");
  for (int step = -4; step <= 4; ++step) {
    const double at = 0.58 + 0.045 * (step + 4);
    // Below the lowest row, where the scale of y ends: text alone can be put there, so the colours are letters.
    picture.text({at, 0}, 0, 20, "start", fmt::format("heat{}", step + 4).c_str(), "\xe2\x96\xa0");
    if (step % 4 == 0)
      picture.text({at, 0}, 4, 34, "middle", "label", step == 0 ? "0" : fmt::format("{:+}{}", step, ""));
  }
  return picture.svg();
}

// The distribution is drawn in at most so many columns.
constexpr std::size_t most_columns = 60;

struct columns {
  std::size_t first = 0, width = 1;
  std::vector<double> seen = {}, expected = {};
};

columns columns_of(const surveyed_table& table, const std::vector<double>& chance, double blocks) {
  const auto there = [&](std::size_t i) {
    return table.blocks[i] != 0 || (i < chance.size() && chance[i] * blocks > 0.5);
  };
  std::size_t first = 0, last = table.blocks.size() - 1;
  while (first < last && !there(first)) ++first;
  while (last > first && !there(last)) --last;
  columns made{.first = first, .width = (last - first) / most_columns + 1};
  for (std::size_t i = first; i <= last; i += made.width) {
    double seen = 0, expected = 0;
    for (std::size_t j = i; j < std::min(i + made.width, table.blocks.size()); ++j) {
      seen += static_cast<double>(table.blocks[j]);
      if (j < chance.size()) expected += chance[j] * blocks;
    }
    made.seen.push_back(seen);
    made.expected.push_back(expected);
  }
  return made;
}

// The numbers of keys at which a curve is computed: a hundred, evenly spaced on a logarithmic axis.
std::vector<point> rate_curve(const any_filter& filter, double low, double high) {
  constexpr int steps = 100;
  std::vector<point> curve;
  for (int i = 0; i <= steps; ++i) {
    const double keys = std::round(low * std::pow(high / low, static_cast<double>(i) / steps));
    const double rate = filter.expected_fpr(static_cast<std::uint64_t>(keys));
    if (rate > 0 && rate <= 1 && (curve.empty() || keys > curve.back().first)) curve.emplace_back(keys, rate);
  }
  return curve;
}

bool is_flat(const std::vector<point>& curve) {
  const auto [least, most] = std::minmax_element(curve.begin(), curve.end(),
                                                 [](const point& a, const point& b) { return a.second < b.second; });
  return least == curve.end() || most->second <= 1.0001 * least->second;
}

std::string whole_number(double x) {
  return x < 1e6 ? grouped(static_cast<std::uint64_t>(x)) : short_number(x);
}

}  // namespace

target reported_filter::compared() const {
  target asked = info.target;
  if (info.health.past_capacity && info.keys < 0x1p50)
    asked.capacity = static_cast<std::uint64_t>(std::llround(info.keys));
  if (asked.capacity == 0) {
    asked.capacity =
        info.keys >= 1 && info.keys < 0x1p50 ? static_cast<std::uint64_t>(std::llround(info.keys)) : 1'000'000;
  }
  if (!(asked.fpr > 0)) asked.fpr = info.fpr_now > 0 && info.fpr_now < 0.9 ? info.fpr_now : 0.01;
  return asked;
}

std::size_t reported_filter::odd_regions() const {
  std::size_t odd = 0;
  if (!survey) return odd;
  for (const surveyed_table& table : survey->tables) {
    odd += static_cast<std::size_t>(std::count_if(table.regions.begin(), table.regions.end(),
                                                  [&](const counted_places& each) { return table.is_odd(each); }));
  }
  return odd;
}

std::string regions_picture(const reported_filter& of) {
  if (!of.survey || of.survey->tables.empty() || largest(*of.survey).regions.empty()) return "";
  constexpr std::size_t most_rows = 24;
  const filter_survey& survey = *of.survey;
  const surveyed_table& table = largest(survey);
  const bool several = survey.tables.size() > 1;
  const std::size_t rows = std::min(survey.tables.size(), most_rows);
  const double sigma = table.sigma(table.regions.front().places);
  std::string caption = fmt::format(
      "{} regions of {} {}s{}. Expected in each: {}{}; the band is three sigma wide on either side.",
      table.regions.size(), grouped(table.regions.front().places), survey.place,
      several ? fmt::format(" in the largest of {} tables", survey.tables.size()) : "", percent(table.whole.fill()),
      sigma > 0 ? fmt::format(" with a standard deviation of {}", percent(sigma)) : "");
  if (survey.place == "home slot") caption += " A home slot is in use if some key belongs there.";
  const std::size_t odd = of.odd_regions();
  caption += odd == 0 ? " No region is further off than chance explains (six sigma)."
                      : fmt::format(" {} {} further off than chance explains (six sigma): marked with a large dot.",
                                    grouped(odd), odd == 1 ? "region is" : "regions are");
  std::string first_odd;
  for (std::size_t i = 0; i < table.regions.size() && first_odd.empty(); ++i) {
    if (table.is_odd(table.regions[i])) first_odd = " The first is " + region_in_words(table, i, survey.place) + '.';
  }
  if (rows < survey.tables.size()) caption += fmt::format(" Of the tables the first {} have a row.", rows);
  return figure("Fill by region", drawn_regions(table, survey.place) + drawn_rows(survey, rows), caption + first_odd);
}

std::string blocks_picture(const reported_filter& of) {
  if (!of.survey || of.survey->tables.empty()) return "";
  const surveyed_table& table = largest(*of.survey);
  if (table.blocks.empty() || table.whole.used == 0) return "";
  double blocks = 0, full = static_cast<double>(table.blocks.back());
  for (const std::uint64_t each : table.blocks) blocks += static_cast<double>(each);
  const double load = math::keys_per_block(table.block, table.whole.fill());
  const std::vector<double> chance = math::distribution_of_block(table.block, load);
  const columns all = columns_of(table, chance, blocks);
  const double most = std::max(*std::max_element(all.seen.begin(), all.seen.end()),
                               *std::max_element(all.expected.begin(), all.expected.end()));
  const auto end = static_cast<double>(all.first + all.width * all.seen.size());
  const std::string things = std::string(of.survey->place) + "s in use per block";
  chart picture("Number of blocks by " + things, 230,
                {.low = static_cast<double>(all.first),
                 .high = end,
                 .title = fmt::format("{}, of {}", things, math::bits_of_block(table.block))},
                {.low = 0,
                 .high = 1.05 * most,
                 .title = all.width == 1 ? "blocks" : fmt::format("blocks, by {} {}s", all.width, of.survey->place),
                 .label = whole_number});
  picture.grid();
  std::vector<point> expected;
  for (std::size_t i = 0; i < all.seen.size(); ++i) {
    const auto left = static_cast<double>(all.first + i * all.width), wide = static_cast<double>(all.width);
    const std::string which = all.width == 1 ? fmt::format("{}", left) : fmt::format("{} to {}", left, left + wide - 1);
    picture.rectangle({left + 0.08 * wide, 0}, {left + 0.92 * wide, all.seen[i]}, "bar",
                      fmt::format("{} {}s: {} blocks, expected {}", which, of.survey->place, whole_number(all.seen[i]),
                                  short_number(all.expected[i])));
    expected.emplace_back(left + wide / 2, all.expected[i]);
  }
  if (!chance.empty()) picture.line(expected, "expected");
  std::string caption =
      fmt::format("{} blocks hold {} keys each on average. ", grouped(static_cast<std::uint64_t>(blocks)),
                  std::isfinite(load) ? short_number(load) : "more than can be told");
  caption += chance.empty() ? "They are too full to tell how many."
                            : "The line is what chance makes of that: a Poisson number of keys in each block. A filter "
                              "whose hash is good "
                              "follows it.";
  if (full > 0)
    caption +=
        fmt::format(" {} blocks are full and say yes to every key that falls into them.", grouped(table.blocks.back()));
  return figure("Blocks by how full they are", picture.svg(), caption);
}

std::string rate_picture(const reported_filter& of) {
  const filter_info& info = of.info;
  if (!of.filter) return "";
  const bool has_keys = info.keys >= 1 && info.keys < 0x1p60, is_planned = info.target.capacity != 0;
  const double now = has_keys ? info.keys : 0, planned = static_cast<double>(info.target.capacity);
  const double middle = std::max({now, planned, 1.0});
  const double least = std::max(1.0, (is_planned && has_keys ? std::min(now, planned) : middle) / 100);
  const double high = std::pow(10, std::ceil(std::log10(std::min(0x1p59, 8 * middle)) - 1e-9)),
               low = std::pow(10, std::floor(std::log10(least) + 1e-9));
  const std::vector<point> curve = rate_curve(*of.filter, low, high);
  if (is_flat(curve)) {
    return figure("Rate and number of keys", "",
                  curve.empty() ? "The format has no model of its rate; now it is " + short_number(info.fpr_now) + "."
                                : "The rate does not depend on how many keys it holds: it is " +
                                      short_number(info.fpr_now) + ".");
  }
  double lowest = is_planned ? info.target.fpr / 100 : info.fpr_now / 100;
  if (info.fpr_now > 0) lowest = std::min(lowest, info.fpr_now / 3);
  lowest = std::max(lowest, 1e-15);
  chart picture("The rate as keys are added", 260,
                {.low = low, .high = high, .logarithmic = true, .title = "keys", .label = whole_number},
                {.low = std::pow(10, std::floor(std::log10(std::min(lowest, 0.1)))),
                 .high = 1,
                 .logarithmic = true,
                 .title = "false-positive rate"});
  picture.grid();
  std::vector<point> drawn;
  const double floor = std::pow(10, std::floor(std::log10(std::min(lowest, 0.1))));
  std::copy_if(curve.begin(), curve.end(), std::back_inserter(drawn),
               [&](const point& each) { return each.second >= floor; });
  if (is_planned) {
    picture.level(info.target.fpr, "asked");
    picture.text({low, info.target.fpr}, 4, -5, "start", "label", "asked: " + short_number(info.target.fpr));
    picture.upright(planned, "planned");
    picture.text({planned, 1}, -5, 14, "end", "label", "planned");
  }
  picture.line(drawn, "line");
  std::string caption = "The line is the model of its shape; both axes are logarithmic.";
  if (has_keys && info.fpr_now > 0) {
    const bool left = now * now > low * high;
    picture.dot({now, info.fpr_now}, 5, "now",
                fmt::format("now: {} keys, rate {}", key_count(now, info.keys_exact), short_number(info.fpr_now)));
    picture.text({now, info.fpr_now}, left ? -9 : 9, -7, left ? "end" : "start", "value",
                 "now: " + short_number(info.fpr_now));
    caption += fmt::format(" The dot is the filter as its bits are now: {} keys, rate {}.",
                           key_count(info.keys, info.keys_exact), short_number(info.fpr_now));
  }
  const double tenfold = of.filter->expected_fpr(static_cast<std::uint64_t>(10 * middle));
  if (is_planned && tenfold > 0) {
    caption +=
        fmt::format(" With {} keys, as planned, the rate is {}; with twice as many {}; with ten times as many {}.",
                    grouped(info.target.capacity), short_number(info.fpr_at_capacity),
                    short_number(of.filter->expected_fpr(2 * info.target.capacity)),
                    short_number(of.filter->expected_fpr(10 * info.target.capacity)));
  }
  return figure("Rate as keys are added", picture.svg(), caption);
}

std::string kinds_picture(const reported_filter& of, const std::vector<candidate>& kinds) {
  struct row {
    std::string name;
    double bits;
    bool is_this;
    std::string hover;
  };
  const target asked = of.compared();
  const double bound = math::lower_bound_bits(1, asked.fpr);
  std::vector<row> rows;
  const double own = 8 * static_cast<double>(of.info.bytes) / static_cast<double>(asked.capacity);
  rows.push_back({"this filter", own, true, fmt::format("this filter: {:.2f} bits per key", own)});
  for (const candidate& each : kinds) {
    if (!each.plan) continue;
    rows.push_back({name_of(each), each.plan->bits_per_key, each.kind->kind.name == of.info.kind,
                    fmt::format("{}: {:.2f} bits per key, {}, rate {}", name_of(each), each.plan->bits_per_key,
                                human_bytes(each.plan->bytes), short_number(each.plan->expected_fpr))});
  }
  const bool is_kept = !of.info.health.above_fpr && !of.info.health.past_capacity;
  double most = bound;
  for (const row& each : rows) most = std::max(most, each.bits);
  // One that is far too large would leave the others no width.
  double others = bound;
  for (std::size_t i = 1; i < rows.size(); ++i) others = std::max(others, rows[i].bits);
  const double end = 1.12 * std::min(most, 1.5 * others), height = 22 + 40 + 19.0 * static_cast<double>(rows.size());
  const auto count = static_cast<double>(rows.size());
  chart picture("Bits per key of all kinds", height, {.low = 0, .high = end, .title = "bits per key"},
                {.low = 0, .high = count}, 182);
  picture.grid();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double y = count - static_cast<double>(i);
    picture.rectangle({0, y - 0.85}, {std::min(rows[i].bits, end), y - 0.15}, rows[i].is_this ? "this" : "bar",
                      rows[i].hover);
    picture.text({0, y - 0.5}, -6, 4, "end", rows[i].is_this ? "value" : "label", rows[i].name);
    const bool cut = rows[i].bits > 0.85 * end;
    picture.text({std::min(rows[i].bits, end), y - 0.5}, cut ? -4 : 4, 4, cut ? "end" : "start",
                 cut ? "inside" : "label", fmt::format("{:.2f}", rows[i].bits));
  }
  picture.upright(bound, "asked");
  picture.text({bound, count}, 0, -6, "middle", "label", fmt::format("lower bound {:.2f}", bound));
  const std::string but =
      is_kept ? "" : fmt::format("; this filter, too full, has a rate of {}", short_number(of.info.fpr_now));
  return figure("Bits per key, by kind", picture.svg(),
                fmt::format("For {} at rate {}{}. The upright line is log2(1/rate), below which no filter of any kind "
                            "gets. Kinds that are missing cannot have this rate.",
                            keys_in_words(asked.capacity), short_number(asked.fpr), but));
}

}  // namespace seen::cli
