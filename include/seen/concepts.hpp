// The vocabulary on one page: what an engine is, and which operations it may have.
//
// An engine is a data structure that sees digests, a shape and bytes. It knows no keys (filter.hpp gives it those),
// no files (formats/), no owners (storage/) and no threads (its access policy says how a word is touched).
//
//   engine                shape, parts, may_contain, estimates          every kind
//   mutable_engine        add                                           all but the static kinds
//   fallible_engine       add says false when there is no room          cuckoo, quotient
//   growing_engine        add makes room, and may throw std::bad_alloc  scalable, growing cuckoo
//   removable_engine      remove                                        counting, cuckoo, quotient
//   countable_engine      count                                         the same
//   sized_engine          size                                          cuckoo, quotient, static
//   clearable_engine      clear                                         all but the static kinds
//   mergeable_engine      merge                                         those whose union is computed from their bytes
//   intersectable_engine  intersect                                     those of bits in one array
//   foldable_engine       shrink_to_fpr                                 the same
//   forgetting_engine     advance                                       windowed
//   static_engine         build once from all digests                   xor, binary fuse, ribbon
//   shared_engine         any thread may call add and may_contain       the concurrent forms
//   resettable_engine     reset, while others use it                    most mutable kinds
//   snapshot_engine       snapshot, while others add                    the concurrent forms
//   accessible_engine     with_access: for one thread, or for many      those with a concurrent form
//   hashes_in_place       add_keys, may_contain_keys                    blocks of bits
//   monotone_engine       bits only ever go 0 -> 1, so a torn write loses no key (may be mapped for writing)
//
// Most engines are one array: bytes() and over(shape, storage) make a file of them. A kind made of several arrays, or
// with state beside its shape, has parts() and from_parts() instead (parts_of and engine_from serve both).
#pragma once

#include <seen/base/bits.hpp>
#include <seen/base/digest.hpp>
#include <seen/base/result.hpp>
#include <seen/base/target.hpp>
#include <seen/storage/pages.hpp>
#include <seen/storage/storage.hpp>

#include <array>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace seen::inline v1 {

/// The names of a kind, in files (id) and among people (name).
struct kind_info {
  std::uint16_t id = 0;   ///< in files; never given to another kind
  std::string_view name;  ///< "blocked-bloom"
};

/// A choice a kind offers under a name: "4-wise" is arity 4. Its shape lists them in `variants`, the usual one first.
struct kind_variant {
  std::string_view name;    ///< "4-wise"
  std::string_view field;   ///< the field it is a value of: "arity"
  std::uint64_t value = 0;  ///< 4
};

/// How a field is stored in its 64 bits: as an integer, or as the bits of a double.
enum class field_type : std::uint8_t { integer, real };

/// One array of an engine with the fields that describe it, as a file stores it: its shape first, then state.
struct engine_part {
  std::vector<std::uint64_t> fields;  ///< of the shape, and after them whatever else the kind keeps
  bytes_view bytes;                   ///< may be empty: a part can be nothing but its fields
};

/// The same on its way back from a file.
struct stored_part {
  std::vector<std::uint64_t> fields;  ///< as they were written; from_parts checks them
  storage bytes;                      ///< owned, mapped or borrowed
};

/// A shape describes an engine: computed from a target, written to files field by field, priced without being built.
template <class P>
concept engine_shape = std::equality_comparable<P> && requires(const P& p, const target& asked) {
  { P::plan(asked) } -> std::same_as<result<P>>;
  { P::field_names.size() } -> std::convertible_to<std::size_t>;
  { p.fields() } -> std::same_as<std::array<std::uint64_t, P::field_names.size()>>;
  { P::from_fields(p.fields()) } -> std::same_as<result<P>>;
  { p.bytes() } -> std::same_as<std::size_t>;
  { p.lines() } -> std::convertible_to<std::uint32_t>;
  { p.expected_fpr(asked.capacity) } -> std::same_as<double>;
};

/// The type of field `i`; integers unless the shape says otherwise.
template <engine_shape P>
[[nodiscard]] constexpr field_type type_of_field(std::size_t i) noexcept {
  if constexpr (requires { P::field_types[i]; }) {
    return P::field_types[i];
  } else {
    return field_type::integer;
  }
}

/// A structure that answers "may this digest be present?" from its shape and bytes.
template <class E>
concept engine = std::movable<E> && requires(const E& e, typename E::digest_type d) {
  requires engine_shape<typename E::shape_type>;
  { E::kind } -> std::convertible_to<kind_info>;
  { e.may_contain(d) }
  noexcept->std::same_as<bool>;
  { e.shape() } -> std::convertible_to<typename E::shape_type>;
  { e.census() } -> std::same_as<std::uint64_t>;
  { e.fill() } -> std::same_as<double>;
  { e.estimated_count() } -> std::same_as<double>;
  { e.estimated_fpr() } -> std::same_as<double>;
  { e.saturated() } -> std::same_as<bool>;
};

/// Keys can be added one by one.
template <class E>
concept mutable_engine = engine<E> && requires(E& e, typename E::digest_type d) {
  e.add(d);
};

/// There may be no room for a key: add says false then, and nothing changed.
template <class E>
concept fallible_engine = mutable_engine<E> && requires(E& e, typename E::digest_type d) {
  { e.add(d) } -> std::same_as<bool>;
};

/// Grows as keys are added; add may throw std::bad_alloc, or std::length_error at the end of its range, and nothing
/// changed then.
template <class E>
concept growing_engine = mutable_engine<E> && !fallible_engine<E> && requires(E & e, typename E::digest_type d) {
  requires !noexcept(e.add(d));
};

/// Gives an upper bound of how often a key was added.
template <class E>
concept countable_engine = engine<E> && requires(const E& e, typename E::digest_type d) {
  { e.count(d) } -> std::same_as<std::uint64_t>;
};

/// Knows exactly how many keys it holds.
template <class E>
concept sized_engine = engine<E> && requires(const E& e) {
  { e.size() } -> std::same_as<std::uint64_t>;
};

/// Forgets old keys; time comes in through advance.
template <class E>
concept forgetting_engine = mutable_engine<E> && requires(E& e, std::uint64_t now) {
  e.advance(now);
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

/// Can be emptied.
template <class E>
concept clearable_engine = engine<E> && requires(E& e) {
  e.clear();
};

/// Can be exchanged for an empty one while other threads use it; the old one is returned.
template <class E>
concept resettable_engine = engine<E> && requires(E& e) {
  { e.reset() } -> std::same_as<E>;
};

/// Two filters of one shape can be reduced to what both claim, by their bytes alone.
template <class E>
concept intersectable_engine = engine<E> && requires(E& e, const E& other) {
  { e.intersect(other) } -> std::same_as<result<void>>;
};

/// One that was made too large can be folded to what its keys need.
template <class E>
concept foldable_engine = engine<E> && requires(E& e, double fpr) {
  { e.shrink_to_fpr(fpr) } -> std::same_as<result<void>>;
};

/// Can be copied while other threads add to it.
template <class E>
concept snapshot_engine = engine<E> && requires(const E& e) {
  e.snapshot();
};

/// Its bytes can go on as those of an engine with another access policy: for one thread, or for many.
template <class E, class Access>
concept accessible_engine = engine<E> && requires(E&& e) {
  std::move(e).template with_access<Access>();
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

/// A monotone engine that tells which bytes an add may change, before it does.
template <class E>
concept located_engine = monotone_engine<E> && requires(const E& e, typename E::digest_type d) {
  e.for_each_place(d, [](std::uint64_t) {});
};

/// It takes keys that lie side by side with their hash, and has them hashed when it wants them: for engines whose work per
/// key is so little that what they began for one piece of keys must go on into the next.
template <class E, class Hash, class Key>
concept hashes_in_place = requires(E& e, const E& asked, const Hash& hash, std::span<Key> keys, bool* out) {
  e.add_keys(hash, keys);
  { asked.may_contain_keys(hash, keys, out) } -> std::same_as<std::size_t>;
};

/// A structure whose fill says how many keys it holds.
template <class E>
concept bit_engine = engine<E> && requires(const E& e) {
  { e.bits() } -> std::same_as<std::uint64_t>;
  { e.probes() } -> std::same_as<std::uint32_t>;
  { e.set_bits() } -> std::same_as<std::uint64_t>;
};

/// Refuses to combine engines whose shapes differ: "merge: probes differ: 7 here, 5 there".
template <engine E>
[[nodiscard]] result<void> check_same_shape(const char* what, const E& a, const E& b) {
  const auto here = a.shape().fields(), there = b.shape().fields();
  for (std::size_t i = 0; i < here.size(); ++i) {
    if (here[i] == there[i]) continue;
    return {errc::incompatible, std::string(what) + ": " + std::string(E::shape_type::field_names[i]) + " differ: " +
                                    std::to_string(here[i]) + " here, " + std::to_string(there[i]) + " there"};
  }
  return {};
}

/// The arrays of an engine, for a file.
template <engine E>
[[nodiscard]] std::vector<engine_part> parts_of(const E& e) {
  if constexpr (requires { e.parts(); }) {
    return e.parts();
  } else {
    if (e.bytes().empty()) return {};
    const auto fields = e.shape().fields();
    std::vector<engine_part> parts;
    parts.push_back({{fields.begin(), fields.end()}, e.bytes()});
    return parts;
  }
}

/// The memory of an engine's arrays.
template <engine E>
[[nodiscard]] std::uint64_t memory_of(const E& e) {
  std::uint64_t sum = 0;
  for (const engine_part& part : parts_of(e)) sum += part.bytes.size();
  return sum;
}

/// How much of it lies in huge pages at the moment; nothing where the system does not say.
template <engine E>
[[nodiscard]] std::optional<std::uint64_t> huge_page_bytes_of(const E& e) {
  std::uint64_t sum = 0;
  for (const engine_part& part : parts_of(e)) {
    const auto found = bytes_in_huge_pages(part.bytes);
    if (!found) return found;
    sum += *found;
  }
  return sum;
}

/// Refuses bytes that words cannot lie in: atomic ones need this on 32-bit machines too.
[[nodiscard]] result<void> check_alignment(const std::byte* bytes);
/// Refuses a body of another size than its shape describes.
[[nodiscard]] result<void> check_body_size(std::uint64_t described, std::uint64_t there);
/// The error of a kind of one part that has several, or of another number of fields.
[[nodiscard]] error not_one_part(std::string_view kind, std::size_t fields);

/// The shape of an engine that is one part; `more` fields follow it.
template <engine E>
[[nodiscard]] result<typename E::shape_type> shape_of_only_part(std::span<const stored_part> parts,
                                                                std::size_t more = 0) {
  constexpr std::size_t count = E::shape_type::field_names.size();
  if (parts.size() != 1 || parts[0].fields.size() != count + more) return not_one_part(E::kind.name, count + more);
  auto shape = E::shape_type::from_fields(std::span<const std::uint64_t>(parts[0].fields).template first<count>());
  if (!shape) return error{errc::corrupt, shape.error().detail};
  return shape;
}

/// An engine over bytes of a file, which must be as its shape describes them to the byte, and give that shape again.
template <engine E>
[[nodiscard]] result<E> engine_over(const typename E::shape_type& shape, storage bytes) {
  if (auto fits = check_body_size(shape.bytes(), bytes.size()); !fits) return fits.error();
  auto made = E::over(shape, std::move(bytes));
  if (made && !(made->shape() == shape)) return {errc::corrupt, "the shape is not in canonical form"};
  return made;
}

/// An engine from its parts, all of them checked. The shape and the stored bytes must agree to the byte.
template <engine E>
[[nodiscard]] result<E> engine_from(std::vector<stored_part> parts) {
  for (const stored_part& part : parts) {
    if (auto fine = check_alignment(part.bytes.data()); !fine) return fine.error();
  }
  if constexpr (requires { E::from_parts(std::move(parts)); }) {
    return E::from_parts(std::move(parts));
  } else {
    auto shape = shape_of_only_part<E>(parts);
    if (!shape) return shape.error();
    return engine_over<E>(*shape, std::move(parts[0].bytes));
  }
}

/// Checks what the bytes of an engine say beyond its shape, where that takes reading all of them.
template <engine E>
[[nodiscard]] result<void> check_content(const E& e) {
  if constexpr (requires { e.check(); }) {
    return e.check();
  } else {
    return {};
  }
}

/// The name of a kind by its number in files; "kind 77" for one this release does not know.
[[nodiscard]] std::string kind_name(std::uint16_t id);

}  // namespace seen::inline v1
