// Tables of LevelDB and RocksDB: where their filters are.
//
//   data blocks … │ filter block │ metaindex block │ index block │ footer │
//
//   footer      LevelDB, 48 bytes: metaindex place, index place, zeros │ magic
//               RocksDB, 53 bytes: checksum kind u8 │ the same 40 bytes │ version u32le │ magic
//               RocksDB from version 6: checksum kind │ 3e 00 7a 00 │ checksum of the footer u32le │ context u32le │
//               size of the metaindex u32le │ zeros │ version │ magic; the metaindex ends where the footer begins
//   place       offset, size: varints
//   metaindex   name -> place, sorted; a key is what it shares with the one before and the rest of it
//   block       bytes │ compression u8 │ checksum u32le of both
//
// Everything is checked against the file's size before it is read, and every block against its checksum.
#pragma once

#include <seen/base/result.hpp>
#include <seen/native/native.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace seen::inline v1::foreign {

inline constexpr std::uint64_t leveldb_magic = 0xdb47'7524'8b80'fb57;
inline constexpr std::uint64_t rocksdb_magic = 0x88e2'41b7'85f4'cff7;

/// The last eight bytes of a file, or 0 where there is no room for a footer before them.
[[nodiscard]] std::uint64_t table_magic(const source& from);

/// The number of a filter among `count`, as open_options.part says it; an error that names the file where it says none.
[[nodiscard]] result<std::uint64_t> filter_number(std::string_view part, std::uint64_t count, const std::string& file);

/// A table that was opened: its footer and its metaindex.
class table {
 public:
  /// Reads a table with one of the two magics.
  [[nodiscard]] static result<table> open(const source& from);

  struct place {
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
  };
  /// Where the block of this name is, if there is one.
  [[nodiscard]] result<std::optional<place>> find(std::string_view name) const;
  /// The first names of the metaindex, for messages: "a, b".
  [[nodiscard]] std::string names() const;
  /// A block's bytes. `what` names it in messages.
  [[nodiscard]] result<std::vector<std::byte>> read(const place& where, const std::string& what);
  /// The value of a key of a block of pairs: RocksDB's properties.
  [[nodiscard]] static std::optional<std::string> value_of(bytes_view block, std::string_view key);
  /// Refuses to save a table as a whole.
  [[nodiscard]] static result<void> not_written();
  /// Every block that was read had a checksum, and it was right.
  [[nodiscard]] bool verified() const noexcept { return verified_; }
  /// RocksDB's format_version; 0 for LevelDB's tables, and for RocksDB's that look like them.
  [[nodiscard]] std::uint32_t version() const noexcept { return version_; }

 private:
  explicit table(const source& from) : from_(&from) {}

  [[nodiscard]] result<place> read_footer();
  [[nodiscard]] result<place> read_new_footer(bytes_view footer);
  [[nodiscard]] std::uint32_t context_of(std::uint64_t offset) const noexcept;
  [[nodiscard]] error corrupt(std::uint64_t offset, const std::string& what) const;

  const source* from_;
  std::uint32_t version_ = 0;
  std::uint8_t checksum_ = 1;
  std::uint32_t context_ = 0;
  std::uint64_t end_ = 0;  // of the blocks
  bool verified_ = true;
  std::vector<std::byte> metaindex_;
};

}  // namespace seen::inline v1::foreign
