// UTF-16 is known by its zero bytes: those of ASCII in it, or at the least those of its newlines.
#include "records/suspicion.hpp"

#include <algorithm>

#include "input.hpp"
#include "records/cleaning.hpp"
#include "words.hpp"

namespace seen::cli {
namespace {

constexpr std::uint64_t convincing_returns = 1000;

// Two characters of ASCII or more, with a zero byte behind or before each; before the newline, too.
bool alternates(std::string_view text, std::size_t first_zero) {
  if (text.size() < 4 || (first_zero == 1 && text.size() % 2 != 0)) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((text[i] == '\0') != (i % 2 == first_zero)) return false;
  }
  return true;
}

}  // namespace

suspicion::suspicion(const key_format& format) noexcept
    : is_text_(format.terminator == '\n' && format.width == 0 && format.decompress),
      keeps_mark_(!format.drops_mark()),
      quiet_(format.quiet) {}

error suspicion::utf16() const {
  return {errc::invalid_argument,
          display_name(path_) +
              ": is UTF-16 text (iconv -f UTF-16 -t UTF-8 makes a list of it; --plain takes its "
              "bytes as they are)"};
}

result<void> suspicion::begin(const std::string& path, bytes_view first) {
  path_ = path;
  returns_ = 0;
  watching_ = is_text_ && !told_of_returns_ && !quiet_;
  perhaps_utf16_ = false;
  if (!is_text_) return {};
  const std::string_view text = as_text(first);
  const bool little = text.starts_with("\xff\xfe"), big = text.starts_with("\xfe\xff");
  const bool has_zeros = text.find('\0') != text.npos;
  if (((little || big) && has_zeros) || alternates(text, 0) || alternates(text, 1)) return utf16();
  perhaps_utf16_ = little;  // then the newline's zero byte comes behind it
  if (text.starts_with(byte_order_mark) && keeps_mark_ && !std::exchange(told_of_mark_, true)) {
    warn(quiet_, display_name(path_) +
                     ": begins with a byte-order mark, which is taken for a part of its first key (--crlf or --trim "
                     "drops it)");
  }
  return {};
}

result<void> suspicion::go_on(bytes_view second) const {
  if (perhaps_utf16_ && as_text(second).starts_with('\0')) return utf16();
  return {};
}

void suspicion::watch_ends(std::span<const bytes_view> texts) {
  for (const bytes_view text : texts) {
    watching_ = ends_in_return(text);
    if (!watching_) return;
    if (++returns_ == convincing_returns) return end();
  }
}

void suspicion::end() {
  if (!watching_ || returns_ == 0) return;
  watching_ = false;
  told_of_returns_ = true;
  warn(quiet_, display_name(path_) +
                   ": every key ends in a carriage return, which is taken for a part of it (--crlf drops it)");
}

}  // namespace seen::cli
