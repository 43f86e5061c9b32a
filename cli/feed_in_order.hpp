// From lists of keys to a function, through several threads: the answers come in the order of the keys.
//
//   parts of the input      part 0        part 1        part 2        (parts.hpp)
//                             │             │             │
//   threads               split, decode, work …     one part each, the next when it is done
//                             ▼             ▼             ▼
//   queues                [answer]…     [answer]…     [answer]…
//                             └──────┐
//   the caller's thread            use, answer by answer: all of part 0, then of part 1, …
//
// `work` makes an answer of a batch, and sees nothing that another thread changes; `use` has the caller's thread for itself, and
// an error of either comes after everything before it was used. Answers that wait are bounded: a thread whose part is not the
// first one stops when its queue is long, and no part is begun far ahead. Where the input cannot be divided, or for one thread,
// the same is done batch by batch on the caller's thread, so that lines that arrive through a pipe are answered as they come.
#pragma once

#include <seen/any_filter.hpp>
#include <seen/base/digest.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "feed.hpp"
#include "keys.hpp"

namespace seen::cli {

/// What is shown while keys are read.
struct feeding {
  std::string_view label;
  bool show_progress = false;
};

/// An answer of any type.
struct any_answer {
  any_answer() = default;
  any_answer(const any_answer&) = delete;
  any_answer& operator=(const any_answer&) = delete;
  virtual ~any_answer() = default;
};

/// feed_in_order, for answers of any type.
struct answer_functions {
  std::function<std::unique_ptr<any_answer>()> make;
  std::function<result<void>(const key_batch&, const key_reader&, any_answer&)> work;
  std::function<result<void>(any_answer&)> use;
};
result<std::uint64_t> feed_in_order(key_reader& reader, const feeding& how, const answer_functions& functions);

/// Calls work(const key_batch&, const key_reader& where it comes from, Answer&) -> result<void> for every batch, on several
/// threads at once, then use(Answer&) -> result<void>, one after the other; returns the number of keys. An Answer is given to
/// `work` as an earlier `use` left it, or new: its memory is used again.
template <class Answer, class Work, class Use>
result<std::uint64_t> feed_in_order(key_reader& reader, const feeding& how, Work work, Use use) {
  struct held final : any_answer {
    Answer answer;
  };
  return feed_in_order(reader, how,
                       {[] { return std::make_unique<held>(); },
                        [&work](const key_batch& batch, const key_reader& at, any_answer& to) -> result<void> {
                          return work(batch, at, static_cast<held&>(to).answer);
                        },
                        [&use](any_answer& from) -> result<void> { return use(static_cast<held&>(from).answer); }});
}

/// Calls use(std::span<const digest>) -> result<void> with the digests of all keys, in their order, which several threads
/// compute: those that `hashes`, a filter or a builder, says they have.
template <class Hashes, class Use>
result<std::uint64_t> feed_digests(key_reader& reader, const feeding& how, const Hashes& hashes, Use use) {
  struct some {
    std::vector<digest> room;
    std::size_t count = 0;
  };
  return feed_in_order<some>(
      reader, how,
      [&](const key_batch& batch, const key_reader&, some& to) {
        to.count = batch.keys.size();
        if (to.room.size() < to.count) to.room.resize(to.count);
        return hashes.digests_of(batch.keys, to.room);
      },
      [&](some& from) { return use(std::span<const digest>(from.room).first(from.count)); });
}

/// True if a filter takes keys as digests of 64 bits, as most do; the formats of some other libraries need more of a key.
[[nodiscard]] inline bool takes_digests(const any_filter& filter) {
  return filter.digests_of({}, {}).has_value();
}

/// Calls put(keys) -> result<void> with all keys, for a filter that takes them all: as digests that several threads compute,
/// or as bytes where it takes no digests.
template <class Put>
result<std::uint64_t> feed_to(const any_filter& filter, key_reader& reader, const feeding& how, Put put) {
  if (takes_digests(filter)) return feed_digests(reader, how, filter, put);
  return feed(reader, how.label, how.show_progress, [&](const key_batch& batch) { return put(batch.keys); });
}

}  // namespace seen::cli
