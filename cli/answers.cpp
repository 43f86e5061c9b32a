// Lines lie side by side in the reader's block, terminators included, unless one between them was left out: runs of them
// are copied at once. Objects are put together in place, piece by piece, and written in blocks. The number of a line is mostly
// that of the line before and one more, and is counted in decimal.
#include "answers.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <span>
#include <string_view>

namespace seen::cli {
namespace {

constexpr std::size_t block = std::size_t{256} << 10;

// Nothing goes before the lines.
void append_plain_lines(output& out, std::span<const bytes_view> lines, const bool* answers, bool wanted,
                        const record_form& form) {
  for (std::size_t i = 0; i < lines.size();) {
    if (answers[i] != wanted) {
      ++i;
      continue;
    }
    const std::byte* const begin = lines[i].data();
    const std::byte* end = begin + lines[i].size();
    for (++i; i < lines.size() && answers[i] == wanted && lines[i].data() == end + form.gap(); ++i) {
      end = lines[i].data() + lines[i].size();
    }
    out.append(bytes_view(begin, end));
    if (form.gap() != 0) out.append(form.terminator);
  }
}

// Numbers in decimal, of which most follow one another: nine of ten times one is added to the last digit.
class decimal {
 public:
  void append(output& out, std::uint64_t number) {
    if (number == last_ + 1 && tail_ >> last_digit < '9') {
      tail_ += std::uint64_t{1} << last_digit;
    } else {
      write(number);
    }
    last_ = number;
    char* const place = out.room(head_.size() + sizeof tail_);
    std::memcpy(place, head_.data(), head_.size());
    store_le(reinterpret_cast<std::byte*>(place + head_size_), tail_ >> 8 * (sizeof tail_ - tail_size_));
    out.filled(head_size_ + tail_size_);
  }

 private:
  static constexpr unsigned last_digit = 56;

  void write(std::uint64_t number) {
    std::array<char, 20> text;
    const auto size =
        static_cast<std::size_t>(std::to_chars(text.data(), text.data() + text.size(), number).ptr - text.data());
    tail_size_ = std::min(size, sizeof tail_);
    head_size_ = size - tail_size_;
    std::copy_n(text.begin(), head_size_, head_.begin());
    std::array<char, sizeof tail_> tail{};
    std::copy_n(text.begin() + static_cast<std::ptrdiff_t>(head_size_), tail_size_,
                tail.end() - static_cast<std::ptrdiff_t>(tail_size_));
    tail_ = load_le<std::uint64_t>(std::as_bytes(std::span(tail)).data());
  }

  std::uint64_t last_ = ~std::uint64_t{0} - 1;
  // The last eight digits, the first of them in the lowest byte: of no number yet, so that the first is written.
  std::uint64_t tail_ = std::uint64_t{'9'} << last_digit;
  std::size_t tail_size_ = 0, head_size_ = 0;
  std::array<char, 12> head_{};  // those before them
};

}  // namespace

void append_lines(output& out, const placed_lines& lines, const std::vector<verdict>& verdicts, bool wanted,
                  const line_form& form) {
  const std::span<const bytes_view> all = lines.batch.lines.first(lines.count);
  decimal number;
  if (verdicts.size() == 1 && !form.list_names && !form.line_numbers) {
    return append_plain_lines(out, all, verdicts.front().yes, wanted, form.records);
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (const verdict& each : verdicts) {
      if (each.yes[i] != wanted) continue;
      if (!each.name.empty()) {
        out.append(each.name);
        out.append('\t');
      }
      if (form.list_names) {
        out.append(lines.list);
        out.append(':');
      }
      if (form.line_numbers) {
        number.append(out, lines.reader.number(i));
        out.append(':');
      }
      out.append(all[i]);
      if (form.records.gap() != 0) out.append(form.records.terminator);
    }
  }
}

object_printer::object_printer(const asked& filters, const form& wanted) : form_(wanted) {
  for (std::size_t f = 0; f < filters.size(); ++f) names_.push_back(json(filters.name(f)).text());
  const std::string question = form_.confirmed ? ", \"contains\": " : ", \"may_contain\": ";
  yes_ = phrase(question + "true");
  no_ = phrase(question + "false");
}

void object_printer::append_keys(output& out, const key_batch& batch, std::span<const bytes_view> written,
                                 std::size_t line, std::size_t& key) const {
  if (batch.owner.empty()) return append_json_bytes(out, key_, written[line], form_.hex);
  out.append("\"keys\": [");
  for (bool is_first = true; key < batch.keys.size() && batch.owner[key] == line; ++key, is_first = false) {
    if (!is_first) out.append(", ");
    out.append('{');
    append_json_bytes(out, key_, written[key], form_.hex);
    out.append('}');
  }
  out.append(']');
}

void object_printer::append_matched(output& out, const asked& filters, std::size_t line) const {
  out.append(", \"matched\": [");
  for (std::size_t f = 0, told = 0; f < names_.size(); ++f) {
    if (!filters.says(f, line)) continue;
    if (told++ != 0) out.append(", ");
    out.append(names_[f]);
  }
  out.append(']');
}

result<void> object_printer::print(output& out, const placed_lines& lines, const asked& filters) const {
  const key_batch& batch = lines.batch;
  const phrase begin('{' + (form_.list_names ? "\"list\": " + json(lines.list).text() + ", " : "") +
                     "\"line_number\": ");
  const std::span<const bytes_view> written = form_.hex || batch.texts.empty() ? batch.keys : batch.texts;
  decimal number;
  std::size_t key = 0;
  for (std::size_t i = 0; i < lines.count; ++i) {
    out.append(begin);
    number.append(out, lines.reader.number(i));
    out.append(", ");
    if (form_.key_is_part) {
      append_json_bytes(out, line_, batch.lines[i]);
      out.append(", ");
    }
    append_keys(out, batch, written, i, key);
    bool is_matched = false;
    for (std::size_t f = 0; f < names_.size() && !is_matched; ++f) is_matched = filters.says(f, i);
    out.append(is_matched ? yes_ : no_);
    if (names_.size() > 1) append_matched(out, filters, i);
    if (form_.selected)
      out.append(filters.verdicts().front().yes[i] ? ", \"selected\": true" : ", \"selected\": false");
    out.append("}\n");
    if (out.size() >= block) {
      if (auto written = out.flush(); !written) return written;
    }
  }
  return {};
}

}  // namespace seen::cli
