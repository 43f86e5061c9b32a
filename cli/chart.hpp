// One picture as SVG text: two axes, and marks in the coordinates of the data.
//
//        title of y
//     top ┤            ╭── line          480 wide, so that the text is readable on a telephone, where it is drawn in 370
//         ┤   ▪ mark  ╱                  pixels, and on a screen. The page's style sheet has the colours (classes below), light
//     low ┼──────────────                and dark. Values are in <title> elements: they show under the pointer without a script.
//         low       high   title of x
//
// Classes: `line`, `expected`, `band`, `dot`, `odd`, `now`, `planned`, `asked`, `bar`, `this`.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace seen::cli {

/// A range of numbers, what they are, and how their labels are written.
struct axis {
  double low = 0, high = 1;
  bool logarithmic = false;
  std::string title = {};
  std::string (*label)(double) = nullptr;  ///< the default writes three digits
};

using point = std::pair<double, double>;

class chart {
 public:
  static constexpr double width = 480;

  /// `about` describes the picture for those who do not see it. Room on the left is for labels, or for names of rows.
  chart(std::string about, double height, axis x, axis y, double left = 58);

  /// Lines at round numbers, with labels; a direction without a title has none.
  void grid();
  void line(const std::vector<point>& points, const char* css);
  /// From one height to another, as wide as the picture.
  void band(double low, double high, const char* css);
  void level(double y, const char* css);
  void upright(double x, const char* css);
  void dot(point at, double radius, const char* css, std::string_view hover);
  /// A column or a bar: a rectangle between two corners.
  void rectangle(point a, point b, const char* css, std::string_view hover);
  /// Text at a place, moved by so many pixels; `anchor` is start, middle or end.
  void text(point at, double right, double down, const char* anchor, const char* css, std::string_view words);

  /// The whole picture.
  [[nodiscard]] std::string svg() const;

 private:
  [[nodiscard]] double place_x(double x) const noexcept;
  [[nodiscard]] double place_y(double y) const noexcept;
  void rule(double x1, double y1, double x2, double y2, const char* css);

  std::string about_, drawn_;
  double height_, left_;
  axis x_, y_;
};

/// Round numbers in the range of an axis, at most about `most` of them.
[[nodiscard]] std::vector<double> ticks(const axis& range, int most);

}  // namespace seen::cli
