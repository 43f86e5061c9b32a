// Pages of a native file checked, marked and sealed one by one; docs/formats/native.md has the order of writes.
#include <seen/base/bit_words.hpp>
#include <seen/native/in_place.hpp>
#include <seen/storage/access.hpp>

#include <algorithm>
#include <utility>

#include "base/checksums_count.hpp"
#include "layout.hpp"

namespace seen::inline v1::native {
namespace {

std::uint64_t set_bits(bytes_view page) noexcept {
  return detail::count_bits<plain_access>(reinterpret_cast<const std::uint64_t*>(page.data()), page.size() / 8);
}

}  // namespace

in_place::in_place(file opened, mapped_file pages, std::vector<std::byte> table)
    : opened_(std::move(opened)),
      pages_(std::move(pages)),
      table_(std::move(table)),
      states_(table_.size() / 8, state::untouched),
      census_(pages_.about.census),
      unsealed_(pages_.about.state == seal_state::unsealed) {
  // Nothing speaks for an unsealed file: all of it is counted and summed when it is sealed.
  if (!unsealed_) return;
  std::fill(states_.begin(), states_.end(), state::touched);
  census_ = 0;
}

result<in_place> in_place::open(const std::string& path, bool accept_unsealed) {
  for (;;) {
    auto opened = file::open(path, file::mode::write_shared);
    if (!opened) return opened.error();
    if (auto locked = opened->lock(); !locked) return locked.error();
    // Between open and lock another program may have put a new file in its place.
    if (!opened->is_in_place()) continue;
    auto from = source::of(*opened);
    if (!from) return from.error();
    auto h = read_header(*from, accept_unsealed);
    if (!h) return h.error();
    auto table = read_page_table(*h, *from);
    if (!table) return table.error();
    auto whole = opened->map(h->file_bytes, true);
    if (!whole) return whole.error();
    return in_place(std::move(*opened), mapped_file{std::move(*whole), std::move(*h), path}, std::move(*table));
  }
}

bytes_view in_place::page(std::size_t i) const noexcept {
  const header& h = pages_.about;
  const std::uint64_t begin = i * h.page_bytes;
  return pages_.whole.bytes().subspan(static_cast<std::size_t>(h.body_offset + begin),
                                      static_cast<std::size_t>(std::min(h.page_bytes, h.body_bytes - begin)));
}

void in_place::mark_all() noexcept {
  for (state& each : states_) each = each == state::untouched ? state::marked : each;
}

// Read, and not looked at in the map, where a device that fails would end the program.
result<std::uint64_t> in_place::count_sound(std::size_t i) const {
  const std::uint64_t begin = pages_.about.body_offset + i * pages_.about.page_bytes, size = page(i).size();
  std::vector<std::byte> buffer(static_cast<std::size_t>(std::min(layout::smallest_page, size)));
  detail::checksum sum;
  std::uint64_t counted = 0;
  for (std::uint64_t at = 0; at < size; at += buffer.size()) {
    const auto piece =
        std::span(buffer).first(static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), size - at)));
    if (auto read = opened_.read_at(begin + at, piece); !read) return read.error();
    sum.update(piece);
    counted += set_bits(piece);
  }
  if (checksums_count && sum.value() != load_le<std::uint64_t>(table_.data() + 8 * i)) {
    return {errc::corrupt, pages_.name + ": offset " + std::to_string(begin) + ": the " + std::to_string(size) +
                               " bytes from here do not match their checksum"};
  }
  return counted;
}

result<void> in_place::prepare() {
  std::uint64_t counted = 0;
  for (std::size_t i = 0; i < states_.size(); ++i) {
    if (states_[i] != state::marked) continue;
    const auto sound = count_sound(i);
    if (!sound) {
      std::replace(states_.begin(), states_.end(), state::marked, state::untouched);
      return sound.error();
    }
    counted += *sound;
  }
  if (!unsealed_) {
    if (auto marked = unseal(pages_.about, opened_); !marked) return marked;
    unsealed_ = true;
    pages_.about.state = seal_state::unsealed;
  }
  census_ -= counted;
  std::replace(states_.begin(), states_.end(), state::marked, state::touched);
  return {};
}

result<void> in_place::sync() {
  return sync_mapping(pages_.whole.bytes(), opened_.path());
}

result<void> in_place::seal() {
  if (!unsealed_) return {};
  std::vector<std::byte> table = table_;
  std::uint64_t census = census_;
  for (std::size_t i = 0; i < states_.size(); ++i) {
    if (states_[i] != state::touched) continue;
    store_le(table.data() + 8 * i, detail::checksum::of(page(i)));
    census += set_bits(page(i));
  }
  if (auto synced = sync(); !synced) return synced;
  if (auto sealed = native::seal(pages_.about, opened_, table, census); !sealed) return sealed;
  if (!opened_.is_in_place())
    return {errc::io, opened_.path() + ": was replaced while it was mapped; what was added here is lost"};
  table_ = std::move(table);
  census_ = census;
  std::fill(states_.begin(), states_.end(), state::untouched);
  unsealed_ = false;
  return {};
}

}  // namespace seen::inline v1::native
