// Numbers of a column stand with their points below one another.
#include "plan_text.hpp"

#include <seen/base/text.hpp>
#include <seen/math/sizing.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/core.h>

#include "plan_code.hpp"
#include "words.hpp"

namespace seen::cli {
namespace {

constexpr std::size_t table_width = 100;

// Where the decimal point is, or would be.
std::size_t point_of(const std::string& number) {
  return std::min(number.find_first_not_of("0123456789,"), number.size());
}

// The same numbers, all as wide, with their points below one another; words keep to the right. A unit after a space begins in
// one column.
std::vector<std::string> aligned(std::vector<std::string> cells, const std::string& heading) {
  std::size_t before = 0, fraction = 0;
  const auto end_of = [](const std::string& cell) { return std::min(cell.find(' '), cell.size()); };
  for (const std::string& each : cells) {
    before = std::max(before, point_of(each));
    fraction = std::max(fraction, end_of(each) - std::min(point_of(each), end_of(each)));
  }
  std::size_t widest = 0;
  for (std::string& each : cells) {
    const std::size_t behind = end_of(each) - std::min(point_of(each), end_of(each));
    each.insert(0, before - std::min(before, point_of(each)), ' ');
    each.insert(end_of(each.substr(before)) + before, fraction - behind, ' ');
    widest = std::max(widest, each.size());
  }
  const std::size_t width = std::max(widest, heading.size());
  for (std::string& each : cells) {
    each.append(widest - each.size(), ' ');  // units differ in length
    each.insert(0, width - widest, ' ');
  }
  cells.insert(cells.begin(), std::string(width - heading.size(), ' ') + heading);
  return cells;
}

// In the table "512 B", which leaves more columns to the rest.
std::string short_bytes(std::uint64_t bytes) {
  const std::string text = human_bytes(bytes);
  const std::size_t unit = text.find(" byte");
  return unit == std::string::npos ? text : text.substr(0, unit) + " B";
}

std::string probes_of(const plan_row& row) {
  for (const named_field& field : row.shape) {
    if (field.name == "probes") return std::to_string(field.value);
  }
  return "";
}

std::string abilities_of(const plan_row& row) {
  std::string can = row.can_add ? "" : "(static)";
  for (const named_ability& each : named_abilities()) {
    if (row.*each.can) can += (can.empty() ? "" : " ") + std::string(each.word);
  }
  return can;
}

std::string heading(const target& wanted, unknown looked_for, const needs& needed) {
  const std::string memory = needed.memory ? human_bytes(*needed.memory) : "";
  const std::string bound = fmt::format("{:.2f} bits per key", math::lower_bound_bits(1, wanted.fpr));
  if (looked_for == unknown::rate) {
    return fmt::format(
        "{} in {}: the lowest rate of each kind; none can be lower than {}\n\n", keys_in_words(wanted.capacity), memory,
        short_number(std::exp2(-8 * static_cast<double>(*needed.memory) / static_cast<double>(wanted.capacity))));
  }
  if (looked_for == unknown::keys) {
    return fmt::format("{} at rate {}: the most keys of each kind; no filter can do with less than {}\n\n", memory,
                       short_number(wanted.fpr), bound);
  }
  return fmt::format("{} at rate {}; no filter can do with less than {}\n\n", keys_in_words(wanted.capacity),
                     short_number(wanted.fpr), bound);
}

std::string overfill(const advice& best) {
  const auto in_words = [&](std::uint64_t times) {
    const auto rate = rate_at(*best.best, times);
    return rate ? short_number(*rate) : std::string();
  };
  const plan_row& row = *best.best->plan;
  if (!row.can_add) return "it takes no more keys: another is built";
  if (row.can_be_full)
    return fmt::format("it refuses keys for which it has no room, soon after {}",
                       grouped(best.best->made_for.capacity));
  if (row.can_grow) return "it grows: the rate stays what it is";
  if (row.can_forget) return "it forgets the oldest: the rate stays what it is";
  return fmt::format("with twice as many keys its rate is {}, with ten times as many {}", in_words(2), in_words(10));
}

}  // namespace

const std::vector<named_ability>& named_abilities() {
  static const std::vector<named_ability> all{
      {"add", "can_add", &plan_row::can_add},          {"remove", "can_remove", &plan_row::can_remove},
      {"merge", "can_merge", &plan_row::can_merge},    {"grow", "can_grow", &plan_row::can_grow},
      {"shrink", "can_shrink", &plan_row::can_shrink}, {"forget", "can_forget", &plan_row::can_forget},
      {"threads", "can_share", &plan_row::can_share}};
  return all;
}

std::optional<double> rate_at(const candidate& each, std::uint64_t times) {
  if (!each.plan || !each.plan->can_add || each.plan->can_be_full) return std::nullopt;
  if (each.made_for.capacity > ~std::uint64_t{0} / times) return std::nullopt;
  const auto rate = each.kind->expected_fpr(each.options(each.made_for), times * each.made_for.capacity);
  if (!rate) return std::nullopt;
  return *rate;
}

std::string plan_table(const target& wanted, unknown looked_for, const needs& needed,
                       const std::vector<candidate>& candidates, const advice& best) {
  std::vector<const candidate*> planned;
  for (const candidate& each : candidates) {
    if (each.plan) planned.push_back(&each);
  }
  std::size_t name_width = 4;
  for (const candidate& each : candidates) name_width = std::max(name_width, name_of(each).size());
  const auto column = [&](const std::string& title, auto cell) {
    std::vector<std::string> cells;
    for (const candidate* each : planned) cells.push_back(cell(*each));
    return aligned(std::move(cells), title);
  };
  std::vector<std::vector<std::string>> columns;
  if (looked_for == unknown::keys) {
    columns.push_back(column("keys", [](const candidate& each) { return grouped(each.made_for.capacity); }));
  }
  columns.push_back(column("size", [](const candidate& each) { return short_bytes(each.plan->bytes); }));
  columns.push_back(
      column("bits/key", [](const candidate& each) { return fmt::format("{:.2f}", each.plan->bits_per_key); }));
  columns.push_back(column("rate", [](const candidate& each) { return short_number(each.plan->expected_fpr); }));
  columns.push_back(column("k", [](const candidate& each) { return probes_of(*each.plan); }));
  columns.push_back(column("lines", [](const candidate& each) { return std::to_string(each.plan->lines); }));
  if (looked_for != unknown::keys) {
    columns.push_back(column("to build", [](const candidate& each) { return short_bytes(each.plan->build_bytes); }));
  }
  const auto row_of = [&](const std::string& name, std::size_t row, const std::string& can) {
    std::string line = fmt::format("{:<{}}", name, name_width);
    for (const auto& each : columns) line += ' ' + each[row];
    return line + "  " + can + '\n';
  };
  std::string text = heading(wanted, looked_for, needed) + row_of("kind", 0, "can");
  std::size_t row = 1;
  for (const candidate& each : candidates) {
    if (each.plan) {
      text += row_of(name_of(each), row++, abilities_of(*each.plan));
    } else {
      text += wrapped(fmt::format("{:<{}} ", name_of(each), name_width), each.plan.error().detail, table_width);
    }
  }
  text += '\n' + wrapped("advice: ", (best.kind.empty() ? "none" : best.kind) + ": " + best.why, table_width);
  if (best.best == nullptr) return text;
  text += wrapped("fuller: ", overfill(best), table_width) + '\n';
  for (const auto& [language, line] : code_for(*best.best)) text += fmt::format("  {:<6} {}\n", language, line);
  return text;
}

// --- the picture

namespace {

constexpr int lowest_power = -9;  // of rates: from 1/2 to 10^-9
constexpr std::size_t plot_height = 22, label_width = 6;

double rate_of_column(std::size_t column, std::size_t columns) {
  const double share = static_cast<double>(column) / static_cast<double>(columns - 1);
  return std::pow(10, std::log10(0.5) + share * (lowest_power - std::log10(0.5)));
}

}  // namespace

std::string plan_plot(std::uint64_t keys, const std::vector<const kind_row*>& shown, std::size_t columns) {
  const std::size_t wide = std::clamp<std::size_t>(columns, 40, 140) - label_width - 1;
  std::vector<std::vector<double>> curves;  // bits per key by column; 0 where there is no plan
  double most = 0;
  for (const kind_row* kind : shown) {
    std::vector<double> curve(wide);
    for (std::size_t x = 0; x < wide; ++x) {
      const auto plan = kind->plan({.capacity = keys, .fpr = rate_of_column(x, wide)});
      if (plan) curve[x] = plan->bits_per_key;
    }
    curves.push_back(std::move(curve));
  }
  // Twice what the smallest takes at the lowest rate: kinds of counters, several times as large, run out at the top.
  for (const auto& curve : curves) {
    if (curve.back() > 0 && (most == 0 || curve.back() < most)) most = curve.back();
  }
  if (curves.size() > 1 || most == 0) most = std::max(2 * most, 60.0);
  if (curves.size() == 1) most = 1.05 * *std::max_element(curves[0].begin(), curves[0].end());
  std::vector<std::string> canvas(plot_height, std::string(wide, ' '));
  const auto put = [&](std::size_t x, double bits, char letter) {
    const double share = bits / most;
    if (!(bits > 0) || share > 1) return;
    const auto down = static_cast<std::size_t>(std::lround((1 - share) * static_cast<double>(plot_height - 1)));
    char& at = canvas[down][x];
    at = at == ' ' || at == '.' ? letter : at == letter ? at : '*';
  };
  for (std::size_t x = 0; x < wide; ++x) put(x, math::lower_bound_bits(1, rate_of_column(x, wide)), '.');
  for (std::size_t i = 0; i < curves.size(); ++i) {
    for (std::size_t x = 0; x < wide; ++x) put(x, curves[i][x], static_cast<char>('a' + i));
  }
  std::string text = fmt::format("bits per key for {}, over the rate\n", keys_in_words(keys));
  for (std::size_t y = 0; y < plot_height; ++y) {
    const double bits = most * (1 - static_cast<double>(y) / static_cast<double>(plot_height - 1));
    const std::string label = y % 3 == 0 ? fmt::format("{:.0f}", bits) : "";
    std::string line = fmt::format("{:>{}} |{}", label, label_width - 1, canvas[y]);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  text += std::string(label_width, ' ') + '+' + std::string(wide, '-') + '\n';
  std::string under(wide + label_width + 1, ' ');
  for (int power = -1; power >= lowest_power; power -= 2) {
    const double share = (power - std::log10(0.5)) / (lowest_power - std::log10(0.5));
    const std::string label = short_number(std::pow(10, power));
    const auto middle = label_width + 1 + static_cast<std::size_t>(std::lround(share * static_cast<double>(wide - 1)));
    const std::size_t at = std::min(middle - std::min(middle, label.size() / 2), under.size() - label.size());
    under.replace(at, label.size(), label);
  }
  text += under.substr(0, under.find_last_not_of(' ') + 1) + "\n\n";
  std::string legend;
  for (std::size_t i = 0; i < shown.size(); ++i)
    append_name(legend, fmt::format("{} {}", static_cast<char>('a' + i), shown[i]->kind.name));
  return text + wrapped("", legend + ", * several, . the least there can be", wide + label_width + 1);
}

}  // namespace seen::cli
