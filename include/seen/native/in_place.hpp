// Keys added to a native file where it lies, in time that depends on the keys and not on the file.
//
//   open ──► mark the bytes a key touches ──► prepare ──► the bits are set ──► seal
//   lock      which pages                      check those pages,  in the map     checksums of those pages,
//                                              unseal the file                    the census by their difference
//
// A page is checked before it is touched first: a checksum computed over a flipped bit would hide it for good. Pages that
// nobody touches keep the checksum they had, so damage in them is found as before. Of an unsealed file nothing is checked
// and everything is computed anew.
//
// The file is sealed until prepare, and unsealed from there to the end of seal. Whatever ends the program in between leaves
// every old key in the file, and of the new bits some: docs/formats/native.md has the order of writes.
//
// The census of every kind that is written in place is the number of set bits.
#pragma once

#include <seen/native/native.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace seen::inline v1::native {

/// A file in the middle of being added to: nobody else has it so.
class in_place {
 public:
  /// Takes the lock (errc::busy while another process has it) and maps the file. Nothing is written.
  static result<in_place> open(const std::string& path, bool accept_unsealed);

  /// The map and what it is checked against.
  [[nodiscard]] mapped_file& pages() noexcept { return pages_; }

  /// The byte of the body at `offset` will be changed.
  void mark(std::uint64_t offset) noexcept {
    state& page = states_[static_cast<std::size_t>(offset / pages_.about.page_bytes)];
    if (page == state::untouched) page = state::marked;
  }
  /// Any byte will be.
  void mark_all() noexcept;
  /// Checks what was marked since the last time, and unseals the file: bits may be set now. After an error nothing is
  /// marked that was not before.
  [[nodiscard]] result<void> prepare();

  /// When it returns without an error, every bit set before is on the device.
  [[nodiscard]] result<void> sync();
  /// Writes checksums and census, and seals the file if it is not. If it has been replaced meanwhile (save does not wait
  /// for a map), what was added is in no file, and the error says so.
  [[nodiscard]] result<void> seal();

 private:
  enum class state : std::uint8_t { untouched, marked, touched };

  in_place(file opened, mapped_file pages, std::vector<std::byte> table);
  [[nodiscard]] bytes_view page(std::size_t i) const noexcept;
  /// The set bits of a page, if its checksum is right.
  [[nodiscard]] result<std::uint64_t> count_sound(std::size_t i) const;

  file opened_;
  mapped_file pages_;
  std::vector<std::byte> table_;  // a checksum for each page, as stored
  std::vector<state> states_;
  std::uint64_t census_ = 0;  // of the pages that are untouched
  bool unsealed_;             // by us, or already when it was opened
};

}  // namespace seen::inline v1::native
