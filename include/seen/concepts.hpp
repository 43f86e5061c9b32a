// The vocabulary on one page: what an engine is, and which operations it may have.
//
// An engine is a data structure that sees digests, parameters and bytes. It knows no keys (filter.hpp gives it those),
// no files (formats/), no owners (storage/) and no threads (its access policy says how a word is touched).
//
//   engine            parameters, bytes, may_contain                   every kind
//   mutable_engine    add                                              all but the static kinds
//   removable_engine  remove                                           counting, cuckoo, quotient
//   mergeable_engine  merge                                            kinds whose union is computed from their bytes
//   static_engine     build once from all digests
//   shared_engine     any thread may call add and may_contain
//   monotone_engine   bits only ever go 0 -> 1, so a torn write loses no key (may be mapped for writing)
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/digest.hpp>
#include <seen/base/result.hpp>
#include <seen/base/target.hpp>
#include <seen/storage/storage.hpp>

#include <array>
#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace seen {
inline namespace v1 {

/// What a kind is called, in files (id) and by people (name).
struct kind_info {
  std::uint16_t id = 0;
  std::string_view name;
};

/// What describes an engine: computed from a target, written to files field by field, priced without being built.
template <class P>
concept engine_params = std::equality_comparable<P> && requires(const P& p, const target& asked) {
  { P::plan(asked) } -> std::same_as<result<P>>;
  { P::field_names.size() } -> std::convertible_to<std::size_t>;
  { p.fields() } -> std::same_as<std::array<std::uint64_t, P::field_names.size()>>;
  { P::from_fields(p.fields()) } -> std::same_as<result<P>>;
  { p.bytes() } -> std::same_as<std::size_t>;
  { p.lines() } -> std::convertible_to<std::uint32_t>;
  { p.expected_fpr(asked.capacity) } -> std::same_as<double>;
};

/// A structure that answers "may this digest be present?" from parameters and bytes.
template <class E>
concept engine = std::movable<E> &&
    requires(const E& e, typename E::digest_type d, std::span<const std::uint64_t> words) {
  requires engine_params<typename E::params_type>;
  { E::kind } -> std::convertible_to<kind_info>;
  { e.may_contain(d) }
  noexcept->std::same_as<bool>;
  { e.params() } -> std::convertible_to<typename E::params_type>;
  { e.bytes() } -> std::same_as<bytes_view>;
};

/// Keys can be added one by one.
template <class E>
concept mutable_engine = engine<E> && requires(E& e, typename E::digest_type d) {
  e.add(d);
};

/// Keys that were added can be taken out again.
template <class E>
concept removable_engine = mutable_engine<E> && requires(E& e, typename E::digest_type d) {
  { e.remove(d) } -> std::same_as<bool>;
};

/// The union of two filters of one shape can be had from their bytes.
template <class E>
concept mergeable_engine = engine<E> && requires(E& e, const E& other) {
  { e.merge(other) } -> std::same_as<result<void>>;
};

/// Built once from all its digests, never changed.
template <class E>
concept static_engine = engine<E> && !mutable_engine<E>;

/// add and may_contain may be called from any thread.
template <class E>
concept shared_engine = engine<E> && E::access_type::is_shared;

/// Bits only go from 0 to 1: any mix of old and new bytes still holds every old key.
template <class E>
concept monotone_engine = mutable_engine<E> && E::is_monotone;

/// A structure whose fill says how many keys it holds.
template <class E>
concept bit_engine = engine<E> && requires(const E& e) {
  { e.bits() } -> std::same_as<std::uint64_t>;
  { e.probes() } -> std::same_as<std::uint32_t>;
  { e.set_bits() } -> std::same_as<std::uint64_t>;
};

/// The name of a kind by its number in files; "kind 77" for one this release does not know. The registry answers.
[[nodiscard]] std::string kind_name(std::uint16_t id);

}  // namespace v1
}  // namespace seen
