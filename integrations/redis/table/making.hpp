// What a client asks for when it makes a filter, read from its words; and how a filter comes to be: planned, afforded, made, put in its
// key, and replicated in words that make the same filter on a server of other settings.
//
//   BF.RESERVE key error capacity [EXPANSION n] [NONSCALING] [KIND name] [WINDOW seconds] [KEYED [SECRET hex]]
//   CF.RESERVE key capacity [BUCKETSIZE n] [MAXITERATIONS n] [EXPANSION n] [ERROR rate] [KIND name]
//   BF.INSERT key [CAPACITY n] [ERROR rate] [EXPANSION n] [NOCREATE] [NONSCALING] [AT milliseconds] ITEMS item …
//   CF.INSERT key [CAPACITY n] [NOCREATE] ITEMS item …
#pragma once

#include <seen/base/result.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "table/host.hpp"
#include "table/settings.hpp"
#include "table/value.hpp"

namespace seen::redis {

/// The terms of a filter that an add makes.
[[nodiscard]] terms usual_terms(family of, const settings& configured);

/// BF.RESERVE, CF.RESERVE.
struct reservation {
  terms wanted;
  bool was_capped = false;  ///< the rate, to 0.25
  std::string wrong = {};   ///< what to reply instead
};
[[nodiscard]] reservation bloom_reservation(std::span<const std::string_view> words);
[[nodiscard]] reservation cuckoo_reservation(std::span<const std::string_view> words, const settings& configured);

/// BF.INSERT, CF.INSERT.
struct insertion {
  terms wanted;
  bool must_exist = false;
  std::optional<std::uint64_t> at = {};  ///< the time of the adds; nothing: now
  std::span<const std::string_view> items = {};
  std::string wrong = {};
};
[[nodiscard]] insertion insertion_of(family of, std::span<const std::string_view> words, const settings& configured);

/// Makes a filter in key 1, replicates and announces that; or replies why not and returns null.
value* make_filter(host& by, family of, const terms& wanted);

/// What is in a key, if it is a whole filter of this family. Otherwise replies with an error and returns null; with `absent` where the key is
/// not there.
value* find_or_tell(host& by, family of, access how, std::string_view absent);
/// The same where a key that is not there, or is of another type, is as good as an empty filter: null without a reply, and `told` if there
/// was one.
value* find_to_ask(host& by, family of, bool& told);
/// The filter to add to, made as `wanted` where there is none and it may be.
value* find_to_add(host& by, family of, const terms& wanted, bool may_make);

void wrong_arity(host& by);
/// 32 hexadecimal digits as a secret, and the other way round.
[[nodiscard]] std::optional<secret> secret_of(std::string_view hex);
[[nodiscard]] std::string hex_of(const secret& key);

}  // namespace seen::redis
