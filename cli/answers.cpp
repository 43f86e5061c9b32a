// Lines lie side by side in the reader's block, terminators included, unless one between them was left out: runs of them
// are copied at once. Objects are put
// together in place, piece by piece, and written in blocks.
#include "answers.hpp"

#include <array>
#include <charconv>
#include <string_view>

#include "json.hpp"

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

void append_number(output& out, std::uint64_t number) {
  std::array<char, 20> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  out.append(std::string_view(digits.data(), static_cast<std::size_t>(end - digits.data())));
}

}  // namespace

void append_lines(output& out, const placed_lines& lines, const std::vector<verdict>& verdicts, bool wanted,
                  const line_form& form) {
  const std::span<const bytes_view> all = lines.batch.lines.first(lines.count);
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
        append_number(out, lines.reader.number(i));
        out.append(':');
      }
      out.append(all[i]);
      if (form.records.gap() != 0) out.append(form.records.terminator);
    }
  }
}

object_printer::object_printer(const asked_filters& filters, const form& wanted) : form_(wanted) {
  for (std::size_t f = 0; f < filters.size(); ++f) names_.push_back(json(filters.name(f)).text());
}

result<void> object_printer::print(output& out, const placed_lines& lines, const asked_filters& filters) const {
  const key_batch& batch = lines.batch;
  const std::string list = form_.list_names ? "\"list\": " + json(lines.list).text() + ", " : std::string();
  const std::string_view question = form_.confirmed ? ", \"contains\": " : ", \"may_contain\": ";
  const std::span<const bytes_view> written = form_.hex || batch.texts.empty() ? batch.keys : batch.texts;
  std::size_t key = 0;
  for (std::size_t i = 0; i < lines.count; ++i) {
    out.append('{');
    out.append(list);
    out.append("\"line_number\": ");
    append_number(out, lines.reader.number(i));
    out.append(", ");
    if (form_.key_is_part) {
      append_json_bytes(out, "line", batch.lines[i]);
      out.append(", ");
    }
    if (batch.owner.empty()) {
      append_json_bytes(out, "key", written[i], form_.hex);
    } else {
      out.append("\"keys\": [");
      for (bool is_first = true; key < batch.keys.size() && batch.owner[key] == i; ++key, is_first = false) {
        if (!is_first) out.append(", ");
        out.append('{');
        append_json_bytes(out, "key", written[key], form_.hex);
        out.append('}');
      }
      out.append(']');
    }
    std::size_t matched = 0;
    for (std::size_t f = 0; f < names_.size(); ++f) matched += filters.says(f, i);
    out.append(question);
    out.append(matched != 0 ? "true" : "false");
    if (names_.size() > 1) {
      out.append(", \"matched\": [");
      for (std::size_t f = 0, told = 0; f < names_.size(); ++f) {
        if (!filters.says(f, i)) continue;
        if (told++ != 0) out.append(", ");
        out.append(names_[f]);
      }
      out.append(']');
    }
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
