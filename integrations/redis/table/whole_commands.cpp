// Commands on whole filters.
//
//   SF.SCANDUMP, SF.LOADCHUNK                    as those of BF
//   BF.SCANDUMP key iterator [WITHSECRET]        CF.SCANDUMP key iterator
//   BF.LOADCHUNK key iterator data [SECRET hex]  CF.LOADCHUNK key iterator data
//   BF.LOAD key data                             an object of valkey-bloom, as its log has it
//   BF.MERGE key other …                         the union, in the first key
//   BF.DEBUG key
#include <seen/base/text.hpp>

#include <string>
#include <vector>

#include "table/arrival.hpp"
#include "table/command.hpp"
#include "table/making.hpp"
#include "table/record.hpp"
#include "table/words.hpp"

namespace seen::redis {
namespace {

using words = std::span<const std::string_view>;

// How each family says what is wrong with a chunk.
struct chunk_words {
  std::string_view no_position, no_position_to_load, no_header, exists, no_order, too_long, no_filter;
};
constexpr chunk_words bloom_words{"Second argument must be numeric",
                                  "ERR Second argument must be numeric",
                                  "ERR received bad data",
                                  "ERR received bad data",
                                  "ERR invalid offset - no link found",
                                  "ERR invalid chunk - Too big for current filter",
                                  "ERR received bad data"};
constexpr chunk_words cuckoo_words{"Invalid position",        "Invalid position",     "Invalid header",
                                   "Couldn't create filter!", "Couldn't load chunk!", "Couldn't load chunk!",
                                   "Couldn't load chunk!"};

template <family Of>
constexpr const chunk_words& words_for = Of == family::cuckoo ? cuckoo_words : bloom_words;

// The iterator of a SCANDUMP is the one that its reply before had: 0 at first, and 1 more than the bytes of the body that were sent.
template <family Of>
void scan_dump(host& by) {
  const words said = by.arguments();
  const bool with_secret = said.size() == 4 && Of != family::cuckoo && same_word(said[3], "WITHSECRET");
  if (said.size() > 3 && !with_secret) return wrong_arity(by);
  const auto position = whole_number(said[2]);
  if (!position || *position < 0) return by.error(words_for<Of>.no_position);
  const value* const held = find_or_tell(by, Of, access::read, not_found);
  if (held == nullptr) return;
  const secrets how = with_secret ? secrets::told : secrets::kept;
  if (*position == 0) {
    const std::string head = dump_head(*held, how);
    by.array(2);
    by.integer(1);
    return by.bytes(head);
  }
  const auto next = dump_piece(*held, static_cast<std::uint64_t>(*position) - 1, how);
  by.array(2);
  by.integer(next ? static_cast<std::int64_t>(next->end) + 1 : 0);
  if (next) return by.bytes(as_word(next->bytes));
  Of == family::cuckoo ? by.null() : by.bytes("");
}

template <family Of>
void load_head(host& by, std::optional<secret> key) {
  const found held = by.find(1, Of, access::write);
  if (!held.absent()) return by.error(held.there() ? words_for<Of>.exists : wrong_type);
  auto begun = arrival::begin(Of, by.arguments()[3], key);
  if (!begun) return by.error(begun.error().code == errc::no_memory ? no_memory : words_for<Of>.no_header);
  if (!by.repeats() && !by.affords((*begun)->announced())) return by.error(no_memory);
  by.put(1, value::awaiting(Of, std::move(*begun)));
  by.replicate();
  by.status("OK");
}

template <family Of>
void load_chunk(host& by) {
  const words said = by.arguments();
  std::optional<secret> key;
  if (said.size() > 4) {
    if (Of == family::cuckoo || said.size() != 6 || !same_word(said[4], "SECRET")) return wrong_arity(by);
    key = secret_of(said[5]);
    if (!key) return by.error("ERR a secret has 32 hexadecimal digits");
  }
  const auto position = whole_number(said[2]);
  if (!position || *position <= 0) return by.error(words_for<Of>.no_position_to_load);
  if (*position == 1) return load_head<Of>(by, key);
  const found held = by.find(1, Of, access::write);
  if (!held.there()) return by.error(held.absent() ? not_found : wrong_type);
  arrival* const pieces = held.held->arriving();
  if (pieces == nullptr) return by.error(words_for<Of>.too_long);
  const bytes_view data = as_item(said[3]);
  if (const auto taken = pieces->take(static_cast<std::uint64_t>(*position) - 1, data); !taken) {
    const errc code = taken.error().code;
    return by.error(code == errc::no_memory   ? no_memory
                    : code == errc::too_large ? words_for<Of>.too_long
                                              : words_for<Of>.no_order);
  }
  if (pieces->is_complete()) {
    auto whole = pieces->finish();
    if (!whole) {
      pieces->take_back(data.size());
      by.warn("LOADCHUNK: " + whole.error().detail);
      return by.error(whole.error().code == errc::no_memory ? no_memory
                      : whole.error().code == errc::secret_required
                          ? "ERR the filter is keyed: load its first chunk with its SECRET"
                          : words_for<Of>.no_filter);
    }
    *held.held = std::move(*whole);
  }
  by.replicate();
  by.notify(Of == family::bloom    ? "bloom.loadchunk"
            : Of == family::cuckoo ? "cuckoo.loadchunk"
                                   : "lookup.loadchunk",
            1);
  by.status("OK");
}

// An object of valkey-bloom: what its head says beside its filters, and the filters by the library.
void load(host& by) {
  const found held = by.find(1, family::bloom, access::write);
  if (!held.absent()) return by.error(held.there() ? item_exists : wrong_type);
  auto whole = valkey_value(as_item(by.arguments()[2]));
  if (!whole) return by.error("ERR bloom object decoding failed: " + whole.error().detail);
  by.put(1, std::move(*whole));
  by.replicate();
  by.notify("bloom.load", 1);
  by.status("OK");
}

// The first key takes part if it is there. Nothing changes unless all of them can be merged.
void merge(host& by) {
  const found to = by.find(1, family::bloom, access::write);
  std::optional<value> all;
  const std::size_t keys = by.arguments().size();
  for (std::size_t i = to.absent() ? 2 : 1; i < keys; ++i) {
    const found next = i == 1 ? to : by.find(i, family::bloom, access::read);
    if (!next.there()) return by.error(next.absent() ? not_found : wrong_type);
    if (!next.held->is_whole()) return by.error("ERR " + std::string(by.arguments()[i]) + " is still arriving");
    if (!by.repeats() && !by.affords(next.held->info().bytes)) return by.error(no_memory);
    auto same = next.held->copy();
    if (!same) return by.error(same.error().code == errc::no_memory ? no_memory : "ERR " + same.error().detail);
    if (!all) {
      all = std::move(*same);
    } else if (const auto merged = all->merge(*same); !merged) {
      return by.error("ERR " + std::string(by.arguments()[i]) + ": " + merged.error().detail);
    }
  }
  by.put(1, std::move(*all));
  by.replicate();
  by.notify("bloom.merge", 1);
  by.status("OK");
}

void debug(host& by) {
  const value* const held = find_or_tell(by, family::bloom, access::read, not_found);
  if (held == nullptr) return;
  std::vector<std::string> lines{"size:" + std::to_string(held->items())};
  if (is_chunked(held->filter())) {
    const auto numbers = bloom_numbers::read(redisbloom_header(held->filter()));
    for (const bloom_numbers::link& l : numbers->links) {
      lines.push_back("bytes:" + std::to_string(l.bytes) + " bits:" + std::to_string(l.bits) +
                      " hashes:" + std::to_string(l.hashes) + " hashwidth:64 capacity:" + std::to_string(l.entries) +
                      " size:" + std::to_string(l.items) + " ratio:" + readable(l.error));
    }
  } else {
    const value_info about = held->info();
    lines.push_back("bytes:" + std::to_string(about.bytes) + " filters:" + std::to_string(about.filters) +
                    " capacity:" + std::to_string(about.capacity) + " ratio:" + readable(held->asked().error) +
                    " kind:" + std::string(held->filter().kind()));
  }
  by.array(lines.size());
  for (const std::string& line : lines) by.bytes(line);
}

constexpr command_flags writing{.writes = true, .takes_memory = true}, asking{};

constexpr command_row rows[]{
    {.name = "BF.SCANDUMP", .words = -3, .of = family::bloom, .flags = asking, .carry_out = scan_dump<family::bloom>},
    {.name = "BF.LOADCHUNK",
     .words = -4,
     .of = family::bloom,
     .flags = writing,
     .carry_out = load_chunk<family::bloom>},
    {.name = "BF.LOAD", .words = 3, .of = family::bloom, .flags = writing, .carry_out = load},
    {.name = "BF.MERGE", .words = -3, .of = family::bloom, .flags = writing, .last_key = -1, .carry_out = merge},
    {.name = "BF.DEBUG", .words = 2, .of = family::bloom, .flags = asking, .carry_out = debug},
    {.name = "CF.SCANDUMP", .words = 3, .of = family::cuckoo, .flags = asking, .carry_out = scan_dump<family::cuckoo>},
    {.name = "CF.LOADCHUNK",
     .words = 4,
     .of = family::cuckoo,
     .flags = writing,
     .carry_out = load_chunk<family::cuckoo>},
    {.name = "SF.SCANDUMP", .words = -3, .of = family::lookup, .flags = asking, .carry_out = scan_dump<family::lookup>},
    {.name = "SF.LOADCHUNK",
     .words = -4,
     .of = family::lookup,
     .flags = writing,
     .carry_out = load_chunk<family::lookup>},
};

}  // namespace

std::span<const command_row> whole_commands() {
  return rows;
}

}  // namespace seen::redis
