// What a client asks for when it makes a filter, read from its words; and how a filter comes to be: planned, afforded, made, put in its
// key, and replicated in words that make the same filter on a server of other settings.
#pragma once

#include <seen/base/result.hpp>

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
  bool was_capped = false;
  std::string wrong = {};  ///< what to reply instead
};
[[nodiscard]] reservation reservation_of(std::span<const std::string_view> words);

/// BF.INSERT, CF.INSERT.
struct insertion {
  terms wanted;
  bool must_exist = false;
  std::span<const std::string_view> items = {};
  std::string_view wrong = {};
};
[[nodiscard]] insertion insertion_of(std::span<const std::string_view> words, const settings& configured);

/// Makes a filter in key 1, or replies why not and returns null.
value* make_filter(host& by, family of, terms wanted);

/// Replicates a BF.RESERVE with everything that was chosen for the client.
void replicate_reservation(host& by, const value& made);
/// Replicates adds, to a filter that they made (`is_new`) or to one that was there.
void replicate_adding(host& by, const value& to, std::span<const std::string_view> items, bool is_new);

/// The error of an add.
[[nodiscard]] std::string words_of_add(const error& why);
void wrong_arity(host& by);

}  // namespace seen::redis
