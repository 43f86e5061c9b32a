// Coordinates in tenths of a pixel are exact enough, and short.
#include "chart.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>

#include "html.hpp"
#include "words.hpp"

namespace seen::cli {
namespace {

constexpr double top = 22, right = 14, below_axis = 40;

// Where a value lies between the ends of a range, from 0 to 1; what is outside is at the end.
double share_of(const axis& range, double value) {
  double low = range.low, high = range.high;
  if (range.logarithmic) {
    if (!(value > 0)) return 0;
    low = std::log10(low), high = std::log10(high), value = std::log10(value);
  }
  return high > low ? std::clamp((value - low) / (high - low), 0.0, 1.0) : 0.5;
}

std::string label_of(const axis& range, double value) {
  value += 0.0;  // -0 is 0
  return range.label != nullptr ? range.label(value) : short_number(value);
}

}  // namespace

std::vector<double> ticks(const axis& range, int most) {
  std::vector<double> all;
  if (range.logarithmic) {
    const int first = static_cast<int>(std::ceil(std::log10(range.low) - 1e-9));
    const int last = static_cast<int>(std::floor(std::log10(range.high) + 1e-9));
    const int step = std::max(1, (last - first + most) / most);
    for (int power = first; power <= last; power += step) all.push_back(std::pow(10, power));
    return all;
  }
  const double rough = (range.high - range.low) / most;
  if (!(rough > 0)) return {range.low};
  const double unit = std::pow(10, std::floor(std::log10(rough)));
  const double step = unit * (rough <= unit ? 1 : rough <= 2 * unit ? 2 : rough <= 5 * unit ? 5 : 10);
  for (double i = std::ceil(range.low / step - 1e-9); i * step <= range.high + 1e-9 * step; ++i)
    all.push_back(i * step);
  return all;
}

chart::chart(std::string about, double height, axis x, axis y, double left)
    : about_(std::move(about)), height_(height), left_(left), x_(std::move(x)), y_(std::move(y)) {}

double chart::place_x(double x) const noexcept {
  return left_ + share_of(x_, x) * (width - left_ - right);
}

double chart::place_y(double y) const noexcept {
  return height_ - below_axis - share_of(y_, y) * (height_ - below_axis - top);
}

void chart::rule(double x1, double y1, double x2, double y2, const char* css) {
  drawn_ += fmt::format("<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", css, x1, y1,
                        x2, y2);
}

void chart::grid() {
  const double bottom = height_ - below_axis;
  const auto words = [&](double x, double y, const char* anchor, const char* css, std::string_view text) {
    drawn_ += fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", css, x, y,
                          anchor, html(text));
  };
  if (!x_.title.empty()) {
    for (const double tick : ticks(x_, 6)) {
      rule(place_x(tick), top, place_x(tick), bottom, "grid");
      const bool at_the_end = place_x(tick) > width - 24;
      words(at_the_end ? width - 2 : place_x(tick), bottom + 16, at_the_end ? "end" : "middle", "label",
            label_of(x_, tick));
    }
    words((left_ + width - right) / 2, height_ - 6, "middle", "title", x_.title);
  }
  if (!y_.title.empty()) {
    for (const double tick : ticks(y_, 5)) {
      rule(left_, place_y(tick), width - right, place_y(tick), "grid");
      words(left_ - 6, place_y(tick) + 4, "end", "label", label_of(y_, tick));
    }
    words(2, 13, "start", "title", y_.title);
  }
}

void chart::line(const std::vector<point>& points, const char* css) {
  if (points.empty()) return;
  drawn_ += fmt::format("<polyline class=\"{}\" points=\"", css);
  for (const auto& [x, y] : points) drawn_ += fmt::format("{:.1f},{:.1f} ", place_x(x), place_y(y));
  drawn_.back() = '"';
  drawn_ += "/>\n";
}

void chart::band(double low, double high, const char* css) {
  drawn_ += fmt::format("<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n", css,
                        left_, place_y(high), width - left_ - right, place_y(low) - place_y(high));
}

void chart::level(double y, const char* css) {
  rule(left_, place_y(y), width - right, place_y(y), css);
}

void chart::upright(double x, const char* css) {
  rule(place_x(x), top, place_x(x), height_ - below_axis, css);
}

void chart::dot(point at, double radius, const char* css, std::string_view hover) {
  drawn_ += fmt::format("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"><title>{}</title></circle>\n", css,
                        place_x(at.first), place_y(at.second), radius, html(hover));
}

void chart::rectangle(point a, point b, const char* css, std::string_view hover) {
  const double x1 = place_x(a.first), x2 = place_x(b.first), y1 = place_y(a.second), y2 = place_y(b.second);
  drawn_ += fmt::format(
      "<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"><title>{}</title></rect>\n", css,
      std::min(x1, x2), std::min(y1, y2), std::abs(x2 - x1), std::abs(y2 - y1), html(hover));
}

void chart::text(point at, double right_by, double down, const char* anchor, const char* css, std::string_view words) {
  drawn_ += fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", css,
                        place_x(at.first) + right_by, place_y(at.second) + down, anchor, html(words));
}

std::string chart::svg() const {
  return fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n{}</svg>\n", width, height_,
                     html(about_), drawn_);
}

}  // namespace seen::cli
