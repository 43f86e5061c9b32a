#include "client/chunks.hpp"

#include <algorithm>
#include <cerrno>

#include "client/remote_filter.hpp"
#include "table/words.hpp"

namespace seen::redis::client {
namespace {

std::string command_of(family of, std::string_view name) {
  return std::string(letters_of(of)) + '.' + std::string(name);
}

error refused(const cluster& at, const part_place& place, const std::string& command, const reply& told) {
  return {errc::io, place.key + " at " + at.node_of(place.slot) + ": " + command + ": " + told.in_words()};
}

}  // namespace

result<void> read_chunks(cluster& at, const part_place& from, family of, bool with_secret, const chunk_use& use) {
  const std::string name = command_of(of, "SCANDUMP");
  for (std::int64_t iterator = 0;;) {
    request command(name, from.key, iterator);
    if (with_secret && of != family::cuckoo) command.add("WITHSECRET");
    auto told = at.ask(from.slot, command);
    if (!told) return told.error();
    if (told->is_error() && told->text == not_found) {
      return {errc::io, from.key + ": is not there at " + at.node_of(from.slot), ENOENT};
    }
    if (!told->is_array() || told->elements.size() != 2 || !told->elements[0].is_integer()) {
      return refused(at, from, name, *told);
    }
    const std::int64_t next = told->elements[0].number;
    if (next == 0) return {};
    const reply& data = told->elements[1];
    if (next <= iterator || !data.is_text() || data.text.empty()) {
      return {errc::corrupt, from.key + " at " + at.node_of(from.slot) + ": " + name + ": the chunk after " +
                                 std::to_string(iterator) + " is " + data.in_words() + ", and the next " +
                                 std::to_string(next)};
    }
    iterator = next;
    if (auto used = use(iterator, data.text); !used) return used;
  }
}

result<void> write_chunk(cluster& at, const part_place& to, family of, std::int64_t iterator, std::string_view bytes) {
  const std::string name = command_of(of, "LOADCHUNK");
  auto told = at.ask(to.slot, request(name, to.key, iterator, bytes), repeats::no);
  if (!told) return told.error();
  if (told->is_status("OK")) return {};
  if (iterator == 1) {
    auto there = at.ask(to.slot, request("EXISTS", to.key));
    if (there && there->is_integer() && there->number == 1) {
      return {errc::exists, to.key + ": is there already at " + at.node_of(to.slot)};
    }
  }
  return refused(at, to, name, *told);
}

result<void> write_whole(cluster& at, const part_place& to, family of, std::string_view head, bytes_view file) {
  constexpr std::size_t most = std::size_t{8} << 20;
  if (auto begun = write_chunk(at, to, of, 1, head); !begun) return begun;
  for (std::size_t sent = 0; sent != file.size();) {
    const bytes_view piece = file.subspan(sent, std::min(most, file.size() - sent));
    sent += piece.size();
    if (auto taken = write_chunk(at, to, of, static_cast<std::int64_t>(sent) + 1, as_word(piece)); !taken) return taken;
  }
  return {};
}

result<void> check_whole(cluster& at, const part_place& which, family of) {
  const std::string name = command_of(of, "INFO");
  auto told = at.ask(which.slot, request(name, which.key));
  if (!told) return told.error();
  if (told->is_array()) return {};
  return {errc::corrupt,
          which.key + " at " + at.node_of(which.slot) + ": its chunks are no whole filter: " + told->in_words()};
}

}  // namespace seen::redis::client
