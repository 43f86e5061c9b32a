// SVG by hand: axes, marks, and labels that are moved until none covers another.
//
// Colours are classes with a value for light and one for dark ground; the ground itself is left to the page.
#include "plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/core.h>
#include <string_view>

#include "../../cli/text_file.hpp"
#include "limits.hpp"
#include "tables.hpp"

namespace seen::bench {
namespace {

constexpr std::string_view style = R"(<style>
text { font: 12px system-ui, "DejaVu Sans", sans-serif; fill: #3d444d }
.title { font-size: 15px; font-weight: 600 } .small { font-size: 11px } .ours { font-weight: 600 }
.axis { stroke: #6e7781; stroke-width: 1; fill: none } .grid { stroke: #8c959f; stroke-width: .5; opacity: .35 }
.c0 { color: #0969da } .c1 { color: #bc4c00 } .c2 { color: #1a7f37 } .c3 { color: #8250df } .c4 { color: #bf3989 }
.c5 { color: #9a6700 } .peer { color: #6e7781 } .limit { color: #24292f }
.mark { fill: currentColor } .hollow { fill: none; stroke: currentColor; stroke-width: 1.6 }
.line { fill: none; stroke: currentColor; stroke-width: 2 } .dashed { stroke-dasharray: 5 4; stroke-width: 1.5 }
.leader { stroke: currentColor; stroke-width: .7; opacity: .6; fill: none }
@media (prefers-color-scheme: dark) {
text { fill: #c9d1d9 } .axis { stroke: #8b949e } .grid { stroke: #6e7681 }
.c0 { color: #58a6ff } .c1 { color: #f0883e } .c2 { color: #3fb950 } .c3 { color: #bc8cff } .c4 { color: #f778ba }
.c5 { color: #d29922 } .peer { color: #8b949e } .limit { color: #f0f6fc } }
</style>
)";

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
  return out;
}

std::string text_at(double x, double y, std::string_view text, std::string_view more = "") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", x, y, more, escaped(text));
}

/// A scale from data to pixels, linear or logarithmic.
struct scale {
  double from, to, pixel_from, pixel_to;
  bool log = false;

  [[nodiscard]] double operator()(double x) const {
    const double at = log ? (std::log(x) - std::log(from)) / (std::log(to) - std::log(from)) : (x - from) / (to - from);
    return pixel_from + at * (pixel_to - pixel_from);
  }
};

std::string number(double x) {
  return x >= 1e3 ? (x >= 1e6 ? fmt::format("{:g}M", x / 1e6) : fmt::format("{:g}k", x / 1e3)) : fmt::format("{:g}", x);
}

/// 1, 2, 5, 10, … within a scale.
std::vector<double> ticks(const scale& s) {
  std::vector<double> all;
  for (double decade = 1e-2; decade < 1e12; decade *= 10) {
    for (const double step : {1.0, 2.0, 5.0}) {
      if (const double at = decade * step; at >= s.from * 0.999 && at <= s.to * 1.001) all.push_back(at);
    }
  }
  return all;
}

struct box {
  double x, y, width, height;
  [[nodiscard]] bool meets(const box& b) const {
    return x < b.x + b.width && b.x < x + width && y < b.y + b.height && b.y < y + height;
  }
};

// About what the fonts of `style` take.
double width_of(std::string_view text) {
  return 7 * static_cast<double>(text.size()) + 4;
}

std::string lookup_row(const std::vector<record>& records, const place& at, const std::string& filter, double& ns) {
  const record* single = find(records, at, filter, {"single", "absent", "streamed", 1});
  const record* batch = find(records, at, filter, {"batch", "absent", "streamed", 1});
  const record* best = single;
  if (batch != nullptr && (best == nullptr || median(batch->ns) < median(best->ns))) best = batch;
  if (best == nullptr) return "";
  ns = median(best->ns);
  return best->row.call;
}

std::vector<std::uint64_t> sizes_of(const std::vector<record>& records, const std::string& run) {
  std::vector<std::uint64_t> sizes;
  for (const record& r : records) {
    if (r.run == run && (r.family == "block" || r.family == "classic" || r.family == "static")) sizes.push_back(r.keys);
  }
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

struct point {
  std::string name;
  bool ours;
  double bits, ns;
};

// What stands for its family in a picture: not the forms for several threads, nor keys that are digests.
bool is_shown(const record& r) {
  return r.filter != limit_name && r.filter.find("concurrent") == std::string::npos &&
         r.filter.find("digests") == std::string::npos;
}

std::vector<point> points_of(const std::vector<record>& records, const std::string& run, std::uint64_t keys) {
  std::vector<point> points;
  for (const record& r : records) {
    if (r.run != run || r.keys != keys || (r.family != "block" && r.family != "static") || !is_shown(r)) continue;
    if (std::any_of(points.begin(), points.end(), [&](const point& p) { return p.name == r.filter; })) continue;
    double ns = 0;
    if (!lookup_row(records, {run, r.family, keys}, r.filter, ns).empty()) {
      points.push_back({r.filter, !r.peer.empty(), r.bits_per_key, ns});
    }
  }
  return points;
}

/// A label near a mark where nothing else is: tries places around it, farther and farther away.
std::string label(const point& p, double x, double y, std::vector<box>& taken, const box& panel) {
  const double width = width_of(p.name);
  for (const double far : {0.0, 12.0, 26.0, 42.0, 60.0, 80.0, 110.0, 150.0}) {
    struct place {
      double dx, dy;
    };
    for (const auto& [dx, dy] : std::initializer_list<place>{{8 + far, 4},
                                                             {-8 - far - width, 4},
                                                             {-width / 2, -9 - far},
                                                             {-width / 2, 19 + far},
                                                             {6 + far, -8 - far},
                                                             {-6 - far - width, -8 - far},
                                                             {6 + far, 17 + far},
                                                             {-6 - far - width, 17 + far}}) {
      const box here{x + dx, y + dy - 11, width, 14};
      if (here.x < panel.x + 2 || here.x + width > panel.x + panel.width - 2 || here.y < panel.y + 2 ||
          here.y + 14 > panel.y + panel.height - 2) {
        continue;
      }
      if (std::any_of(taken.begin(), taken.end(), [&](const box& b) { return b.meets(here); })) continue;
      taken.push_back(here);
      const bool left = dx + width <= 0;  // ends at the mark, whatever the font's width turns out to be
      std::string out =
          text_at(left ? here.x + width - 2 : here.x + 2, here.y + 11, p.name,
                  fmt::format("class=\"small{}\"{}", p.ours ? " ours" : "", left ? " text-anchor=\"end\"" : ""));
      if (far > 0 || dy != 4) {
        const double to_x = left ? here.x + width - 2 : std::clamp(x, here.x, here.x + width);
        const double to_y = dy < 0 ? here.y + 14 : dy > 8 ? here.y + 2 : here.y + 7;
        out += fmt::format("<path class=\"leader {}\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"/>\n", p.ours ? "c0" : "peer",
                           x, y, to_x, to_y);
      }
      return out;
    }
  }
  return "";
}

/// Filters of one rate (families block and static, 0.39 %) in one panel per size; empty where there are none.
std::string plot_speed_by_space(const std::vector<record>& records, const std::string& run) {
  const std::vector<std::uint64_t> sizes = sizes_of(records, run);
  constexpr double panel_width = 330, panel_height = 330, left = 52, top = 62, gap = 44;
  std::string body;
  double x0 = left;
  for (const std::uint64_t keys : sizes) {
    const std::vector<point> points = points_of(records, run, keys);
    if (points.size() < 2) continue;
    const auto [least, most] =
        std::minmax_element(points.begin(), points.end(), [](const point& a, const point& b) { return a.ns < b.ns; });
    const box panel{x0, top, panel_width, panel_height};
    const scale x{7.5, 13.9, x0, x0 + panel_width};
    const scale y{least->ns / 1.35, most->ns * 1.35, top + panel_height, top, true};
    body += text_at(x0, top - 10, grouped(keys) + " keys", "class=\"ours\"");
    for (const double at : ticks(y)) {
      body += fmt::format("<path class=\"grid\" d=\"M{:.1f} {:.1f}h{:.1f}\"/>\n", x0, y(at), panel_width);
      body += text_at(x0 - 6, y(at) + 4, number(at), "text-anchor=\"end\" class=\"small\"");
    }
    for (int at = 8; at <= 13; ++at) {
      body += fmt::format("<path class=\"grid\" d=\"M{:.1f} {:.1f}v{:.1f}\"/>\n", x(at), top, panel_height);
      body += text_at(x(at), top + panel_height + 16, number(at), "text-anchor=\"middle\" class=\"small\"");
    }
    body +=
        fmt::format("<path class=\"axis\" d=\"M{:.1f} {:.1f}v{:.1f}h{:.1f}\"/>\n", x0, top, panel_height, panel_width);
    std::vector<box> taken;
    for (const point& p : points) taken.push_back({x(p.bits) - 6, y(p.ns) - 6, 12, 12});
    for (const point& p : points) {
      body += fmt::format("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"/>\n",
                          p.ours ? "mark c0" : "hollow peer", x(p.bits), y(p.ns), p.ours ? 5 : 4.5);
    }
    for (const point& p : points) body += label(p, x(p.bits), y(p.ns), taken, panel);
    x0 += panel_width + gap;
  }
  if (body.empty()) return "";
  const double width = std::max(x0 - gap + 16, 720.0), height = top + panel_height + 44;
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0f} {:.0f}\" width=\"{:.0f}\" height=\"{:.0f}\">\n",
      width, height, width, height);
  out += style;
  out += text_at(left, 20, "Nanoseconds per lookup against bits per key, all filters at a rate of 0.39 %",
                 "class=\"title\"");
  out += fmt::format("<circle class=\"mark c0\" cx=\"{}\" cy=\"32\" r=\"5\"/>", left + 5) +
         text_at(left + 15, 36, "seen", "class=\"small ours\"");
  out += fmt::format("<circle class=\"hollow peer\" cx=\"{}\" cy=\"32\" r=\"4.5\"/>", left + 61) +
         text_at(left + 71, 36,
                 "peers. Absent keys, the faster of batch and single key; lower and further left is better.",
                 "class=\"small\"");
  out += body;
  out += text_at(left, height - 8, "bits per key", "class=\"small\"");
  return out + "</svg>\n";
}

struct series {
  std::string name, family, filter;
  std::string_view colour;
  bool dashed;
  std::vector<std::pair<double, double>> points = {};
};

/// Lookups of absent keys against the number of keys; empty with fewer than two sizes.
std::string plot_cost_by_size(const std::vector<record>& records, const std::string& run) {
  std::vector<series> all{{"blocked_bloom", "block", "blocked_bloom", "c0", false},
                          {"Boost multiblock64", "block", "Boost multiblock64", "c0", true},
                          {"bloom", "classic", "bloom", "c1", false},
                          {"Boost classic", "classic", "Boost classic", "c1", true},
                          {"binary_fuse", "static", "binary_fuse", "c2", false},
                          {"binary fuse 8 (C)", "static", "binary fuse 8 (C)", "c2", true},
                          {"ribbon", "static", "ribbon fast", "c3", false},
                          {"RocksDB Ribbon", "static", "RocksDB Ribbon", "c3", true},
                          {"cuckoo 16", "cuckoo", "cuckoo 16", "c4", false},
                          {"quotient", "quotient", "quotient", "c5", false},
                          {"random line", "block", limit_name, "limit", false}};
  const std::vector<std::uint64_t> sizes = sizes_of(records, run);
  double least = 1e9, most = 0;
  for (series& s : all) {
    for (const std::uint64_t keys : sizes) {
      double ns = 0;
      if (lookup_row(records, {run, s.family, keys}, s.filter, ns).empty()) continue;
      s.points.emplace_back(static_cast<double>(keys), ns);
      least = std::min(least, ns), most = std::max(most, ns);
    }
  }
  std::erase_if(all, [](const series& s) { return s.points.size() < 2; });
  if (all.empty()) return "";

  constexpr double left = 52, top = 58, width = 640, height = 400, label_x = left + width + 22;
  const scale x{static_cast<double>(sizes.front()), static_cast<double>(sizes.back()), left, left + width, true};
  const scale y{least / 1.2, most * 1.2, top + height, top, true};
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\">\n",
      label_x + 150, top + height + 48);
  out += style;
  out += text_at(left, 20, "Nanoseconds per lookup against the number of keys", "class=\"title\"");
  out += text_at(left, 38,
                 "Lines: kinds of seen. Dashed, in the same colour: their peers. The faster of batch and single key; "
                 "both axes logarithmic.",
                 "class=\"small\"");
  for (const double at : ticks(y)) {
    out += fmt::format("<path class=\"grid\" d=\"M{:.1f} {:.1f}h{:.1f}\"/>\n", left, y(at), width);
    out += text_at(left - 6, y(at) + 4, number(at), "text-anchor=\"end\" class=\"small\"");
  }
  for (double at = 1e3; at <= x.to * 1.001; at *= 10) {
    if (at < x.from * 0.999) continue;
    out += fmt::format("<path class=\"grid\" d=\"M{:.1f} {:.1f}v{:.1f}\"/>\n", x(at), top, height);
    out += text_at(x(at), top + height + 16, number(at), "text-anchor=\"middle\" class=\"small\"");
  }
  out += fmt::format("<path class=\"axis\" d=\"M{:.1f} {:.1f}v{:.1f}h{:.1f}\"/>\n", left, top, height, width);
  out += text_at(left, top + height + 36, "keys", "class=\"small\"");

  std::sort(all.begin(), all.end(),
            [](const series& a, const series& b) { return a.points.back().second > b.points.back().second; });
  double above = top - 15;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const series& s = all[i];
    std::string path;
    for (const auto& [keys, ns] : s.points)
      path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x(keys), y(ns));
    const double end_x = x(s.points.back().first), end_y = y(s.points.back().second);
    // Labels in the order of the lines' ends, never closer than a line of text, and room left for those below.
    const double room = top + height - 15.0 * static_cast<double>(all.size() - 1 - i);
    const double at = std::min(std::max(end_y, above + 15), std::max(room, above + 15));
    above = at;
    out += fmt::format("<g class=\"{}\"><path class=\"line{}\" d=\"{}\"/>", s.colour, s.dashed ? " dashed" : "", path);
    out +=
        fmt::format("<path class=\"leader\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"/>", end_x + 2, end_y, label_x - 3, at);
    out += fmt::format("<text class=\"small{}\" style=\"fill:currentColor\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text></g>\n",
                       s.dashed ? "" : " ours", label_x, at + 4, escaped(s.name));
  }
  return out + "</svg>\n";
}

}  // namespace

std::vector<picture> pictures_of(const std::vector<record>& records) {
  std::vector<picture> pictures;
  const auto add = [&](const char* name, std::string (*plot)(const std::vector<record>&, const std::string&),
                       bool by_size) {
    // The run with the most sizes shows cost by size best; the first with the panels, speed by space.
    std::string best;
    std::size_t most = 0;
    for (const std::string& run : runs_of(records)) {
      const std::size_t sizes = sizes_of(records, run).size();
      if (plot(records, run).empty() || (by_size ? sizes <= most : most != 0)) continue;
      best = run, most = sizes;
    }
    if (most != 0) pictures.push_back({name, plot(records, best)});
  };
  add("speed-by-space.svg", plot_speed_by_space, false);
  add("cost-by-size.svg", plot_cost_by_size, true);
  return pictures;
}

result<void> write_pictures(const std::vector<record>& records, const std::string& folder) {
  for (const picture& each : pictures_of(records)) {
    if (auto written = cli::write_text(folder, each.name, each.svg); !written) return written;
  }
  return {};
}

}  // namespace seen::bench
