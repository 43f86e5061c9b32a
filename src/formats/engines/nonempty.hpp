// nonempty_engine<Engine>: for the formats whose library takes no empty key, and says that none is there.
//
//   lookup   of the empty key: no, whatever the bits are       Hadoop, DataSketches
//   add      any_filter refuses it, since it would not be found again
//
// The digest says whether its key was the empty one.
#pragma once

#include <seen/base/result.hpp>
#include <seen/concepts.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace seen::inline v1::foreign {

/// A digest that knows that its key was empty.
template <class Digest>
struct of_nonempty : Digest {
  bool is_none = false;
};

/// Engine's digest is an of_nonempty<…>.
template <class Engine>
class nonempty_engine : public Engine {
 public:
  using typename Engine::digest_type;
  using typename Engine::shape_type;
  static constexpr bool refuses_empty_keys = true;

  nonempty_engine() = default;
  explicit nonempty_engine(Engine engine) : Engine(std::move(engine)) {}
  static result<nonempty_engine> make(const shape_type& shape) { return wrapped(Engine::make(shape)); }
  template <class Bytes>
  static result<nonempty_engine> over(const shape_type& shape, Bytes bytes) {
    return wrapped(Engine::over(shape, std::move(bytes)));
  }

  [[nodiscard]] bool may_contain(const digest_type& d) const noexcept { return !d.is_none && Engine::may_contain(d); }
  std::size_t may_contain_many(std::span<const digest_type> digests, bool* out) const noexcept {
    std::size_t found = Engine::may_contain_many(digests, out);
    for (std::size_t i = 0; i < digests.size(); ++i) {
      const bool wrong = digests[i].is_none && out[i];
      found -= wrong;
      out[i] = out[i] && !wrong;
    }
    return found;
  }
  bool remove(const digest_type& d) noexcept requires removable_engine<Engine> {
    return !d.is_none && Engine::remove(d);
  }
  [[nodiscard]] std::uint64_t count(const digest_type& d) const noexcept requires countable_engine<Engine> {
    return d.is_none ? 0 : Engine::count(d);
  }

 private:
  static result<nonempty_engine> wrapped(result<Engine> made) {
    if (!made) return made.error();
    return nonempty_engine(std::move(*made));
  }
};

}  // namespace seen::inline v1::foreign
