// The first bytes of a file say whether it is decoded, refused or taken as it is.
#include "input.hpp"

#include <seen/registry.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "formats/encodings/parquet_footer.hpp"

namespace seen::cli {
namespace {

constexpr std::size_t raw_block = std::size_t{128} << 10;

// Text has no zero bytes, and begins with a brace only where it is JSON, as some filters are.
bool may_be_filter(bytes_view beginning) {
  return !beginning.empty() && (beginning[0] == std::byte{'{'} ||
                                std::find(beginning.begin(), beginning.end(), std::byte{0}) != beginning.end());
}

std::size_t take(bytes_view& from, std::span<std::byte> into) {
  const std::size_t taken = std::min(into.size(), from.size());
  std::memcpy(into.data(), from.data(), taken);
  from = from.subspan(taken);
  return taken;
}

result<std::size_t> read_from(int descriptor, std::uint64_t offset, std::span<std::byte> into,
                              const std::string& path) {
  for (;;) {
    const auto got = ::pread(descriptor, into.data(), into.size(), static_cast<off_t>(offset));
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) return io_error(path, "read");
  }
}

}  // namespace

std::string display_name(const std::string& path) {
  return path == dash ? "standard input" : path;
}

error io_error(const std::string& path, const char* call) {
  const int reason = errno;  // before anything else can change it
  return system_error(display_name(path), call, reason);
}

descriptor::descriptor(descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}

descriptor& descriptor::operator=(descriptor&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

descriptor::~descriptor() {
  if (number_ > STDIN_FILENO) ::close(number_);
}

packing packing_of(const std::string& path) {
  auto opened = input::open(path, reading::plain);
  std::array<std::byte, 16> beginning{};
  auto got = opened && opened->plain_size() ? opened->read_at(0, beginning) : std::size_t{0};
  const signature* const known = got ? find_signature(bytes_view(beginning).first(*got)) : nullptr;
  return known != nullptr && can_unpack(known->packed) ? known->packed : packing::none;
}

result<input> input::open_descriptor(const std::string& path) {
  int number = STDIN_FILENO;
  if (path != dash) {
    do {
      number = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    } while (number < 0 && errno == EINTR);
    if (number < 0) return io_error(path, "open");
  }
  input opened(descriptor(number), path);
  struct stat status {};
  if (::fstat(number, &status) != 0) return io_error(path, "stat");
  opened.is_regular_ = S_ISREG(status.st_mode);
  if (!opened.is_regular_) {
    static bool stdin_is_taken = false;
    if (path == dash && std::exchange(stdin_is_taken, true)) {
      return {errc::invalid_argument, "standard input (-) cannot be read twice"};
    }
    return opened;
  }
  if (path == dash) {
    const auto at = ::lseek(number, 0, SEEK_CUR);
    if (at < 0) return io_error(path, "seek");
    opened.begin_ = static_cast<std::uint64_t>(at);
  }
  const auto all = static_cast<std::uint64_t>(status.st_size);
  opened.size_ = all - std::min(all, opened.begin_);
  return opened;
}

result<input> input::open(const std::string& path, reading how) {
  auto opened = open_descriptor(path);
  if (!opened) return opened;
  if (how != reading::plain) {
    if (auto known = opened->recognise(how); !known) return known.error();
  }
  return opened;
}

input input::of(std::vector<std::byte> bytes, std::string name) {
  input made(descriptor(), std::move(name));
  made.raw_ = std::move(bytes);
  made.waiting_ = made.raw_;
  return made;
}

result<input> input::open_part(const std::string& path, std::uint64_t begin, std::uint64_t end) {
  auto opened = open_descriptor(path);
  if (!opened) return opened;
  opened->begin_ += begin;
  opened->end_ = end - begin;
  return opened;
}

result<input> input::open_column(const std::string& path, const std::string& column) {
  auto opened = open_descriptor(path);
  if (!opened) return opened;
  const std::string name = display_name(path);
  if (!opened->is_regular_) {
    return error{errc::unsupported, name + ": a Parquet file has its index at the end, and cannot come through a pipe"};
  }
  std::array<std::byte, parquet::file_magic.size()> magic{};
  auto got = opened->read_at(0, magic);
  if (!got) return got.error();
  if (*got != magic.size() || !std::ranges::equal(magic, std::as_bytes(std::span(parquet::file_magic)))) {
    return error{errc::invalid_argument, name + ": is not a Parquet file (--parquet)"};
  }
  auto values = parquet_list::open(opened->whole(), column);
  if (!values) return values.error();
  opened->column_ = std::move(*values);
  return opened;
}

std::optional<std::uint64_t> input::plain_size() const noexcept {
  if (!is_regular_ || packed_ != packing::none) return {};
  return size_;
}

result<std::size_t> input::read_at(std::uint64_t offset, std::span<std::byte> into) const {
  return read_from(from_.number(), begin_ + offset, into, path_);
}

result<std::size_t> input::read_raw(std::span<std::byte> into) {
  if (from_.number() < 0) return std::size_t{0};
  if (is_regular_) {
    auto got = read_at(consumed_,
                       into.first(static_cast<std::size_t>(std::min<std::uint64_t>(into.size(), end_ - consumed_))));
    if (got) consumed_ += *got;
    return got;
  }
  while (!ended_) {
    const auto got = ::read(from_.number(), into.data(), into.size());
    if (got >= 0) {
      consumed_ += static_cast<std::uint64_t>(got);
      ended_ = got == 0;  // a terminal would wait for more, and for a second Ctrl-D
      return static_cast<std::size_t>(got);
    }
    if (errno != EINTR) return io_error(path_, "read");
  }
  return std::size_t{0};
}

// The first bytes of what `read` brings: of a pipe no more than tell, since someone may be typing.
template <class Read>
result<bytes_view> input::read_beginning(std::vector<std::byte>& into, Read read) const {
  into.resize(raw_block);
  std::size_t have = 0;
  while (may_become_signature(bytes_view(into).first(have)) || (is_regular_ && have < signature_room)) {
    auto got = read(std::span(into).subspan(have));
    if (!got) return got.error();
    if (*got == 0) break;
    have += *got;
  }
  return bytes_view(into).first(have);
}

result<void> input::recognise(reading how) {
  auto beginning = read_beginning(raw_, [this](std::span<std::byte> into) { return read_raw(into); });
  if (!beginning) return beginning.error();
  waiting_ = *beginning;
  const signature* const outer = find_signature(waiting_);
  if (outer == nullptr || !can_unpack(outer->packed)) {
    if (how != reading::keys) return {};
    if (outer != nullptr) return no_list(outer->what, outer->help);
    const std::string format = format_of_filter();
    if (format.empty()) return {};
    return no_list("a filter of the " + format + " format",
                   "seen merge puts filters together, and seen query -F asks several");
  }
  auto made = make_decoder(outer->packed);
  if (!made) return made.error();
  decoder_ = std::move(*made);
  packed_ = outer->packed;
  if (how != reading::keys) return {};
  beginning = read_beginning(beginning_, [this](std::span<std::byte> into) { return read_decoded(into); });
  if (!beginning) return beginning.error();
  ready_ = *beginning;
  const signature* const inner = find_signature(ready_);
  if (inner == nullptr) return {};
  return no_list(std::string(inner->what) + " inside " + outer->what,
                 can_unpack(inner->packed) ? name_of(packed_) + std::string(" -dc takes off one layer") : inner->help);
}

// All of a regular file, by its descriptor: this may be moved meanwhile.
source input::whole() const {
  const auto read = [descriptor = from_.number(), begin = begin_, path = path_](
                        std::uint64_t offset, std::span<std::byte> into) -> result<void> {
    while (!into.empty()) {
      auto got = read_from(descriptor, begin + offset, into, path);
      if (!got) return got.error();
      if (*got == 0) return {errc::corrupt, display_name(path) + ": ends too early"};
      offset += *got;
      into = into.subspan(*got);
    }
    return {};
  };
  return {display_name(path_), size_, read};
}

// The name of the format, where the file is a filter of another library, as far as its bytes tell.
std::string input::format_of_filter() const {
  if (!is_regular_ || !may_be_filter(waiting_.first(std::min(waiting_.size(), signature_room)))) return {};
  const source all = whole();
  for (const format_row* each : formats()) {
    if (each->detect(all) >= detection::likely) return std::string(each->name);
  }
  return {};
}

error input::no_list(const std::string& what, const std::string& help) const {
  return {errc::invalid_argument, display_name(path_) + ": is not a list of keys but " + what +
                                      (help.empty() ? "" : ": " + help) + " (--plain takes its bytes as they are)"};
}

error input::damaged(const std::string& what) const {
  return {errc::corrupt, display_name(path_) + ": " + name_of(packed_) + " data, before offset " +
                             std::to_string(consumed_ - waiting_.size()) + ": " + what};
}

result<std::size_t> input::read_decoded(std::span<std::byte> into) {
  for (;;) {
    if (waiting_.empty()) {
      auto got = read_raw(raw_);
      if (!got) return got;
      if (*got == 0) {
        // A last call without input gives what the decoder still holds.
        auto rest = decoder_->may_end() ? result<std::size_t>(0) : decoder_->decode(waiting_, into);
        if (!rest) return damaged(rest.error().detail);
        if (*rest == 0 && !decoder_->may_end()) return damaged("the file ends too early");
        return rest;
      }
      waiting_ = bytes_view(raw_).first(*got);
    }
    auto made = decoder_->decode(waiting_, into);
    if (!made) return damaged(made.error().detail);
    if (*made != 0) return made;
  }
}

result<std::size_t> input::read(std::span<std::byte> into) {
  if (column_) {
    auto made = column_->read(into);
    consumed_ = column_->consumed();
    return made;
  }
  if (!ready_.empty()) return take(ready_, into);
  if (decoder_ != nullptr) return read_decoded(into);
  return waiting_.empty() ? read_raw(into) : take(waiting_, into);
}

}  // namespace seen::cli
