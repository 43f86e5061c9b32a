// A router reads its keys a tile at a time, without the GIL where the keys allow it, and hands out what a few tiles gave.
#include "routing.hpp"

#include <seen/base/bits.hpp>
#include <seen/hash/xxh3.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "batch.hpp"
#include "errors.hpp"
#include "tiles.hpp"

namespace seen_python {
namespace {

// A command holds the server up while it runs: a thousand keys take it less than a millisecond.
constexpr std::size_t piece_keys = 1024;
constexpr std::size_t piece_bytes = std::size_t{1} << 20;
// Beyond this much that waits for its part to fill, all of it is handed out.
constexpr std::size_t waiting_bytes = std::size_t{1} << 24;
// A turn of this much is over, however many keys it was to read, and tiles have fewer keys while these are long: a generator's keys lie in
// memory until their tile is done.
constexpr std::size_t turn_bytes = std::size_t{1} << 26, tile_bytes = std::size_t{1} << 22, fewest_tile_keys = 64;

// So many keys of one part, in the protocol's form, and which of all keys they are.
struct piece {
  std::size_t part = 0;
  std::string words = {};
  std::vector<std::uint64_t> places = {};
};

class router {
 public:
  router(nb::handle keys, std::uint64_t parts, std::uint64_t seed, bool asks)
      : source_(keys_of(keys)), hash_(seed), asks_(asks), parts_(parts) {
    for (std::size_t i = 0; i < parts; ++i) parts_[i].part = i;
  }

  // (keys read so far, pieces), once so many more keys were read, or fewer that are long; nothing after the last. What is not a key raises once
  // all keys before it were handed out.
  nb::object turn(std::size_t keys) {
    if (ended_) {
      raised_.rethrow();
      return nb::none();
    }
    ended_ = !raised_.try_call([&] { return read(keys); });
    if (ended_) hand_out_all();
    nb::list made;
    for (const piece& each : done_) {
      made.append(
          nb::make_tuple(each.part, each.places.size(), nb::bytes(each.words.data(), each.words.size()),
                         asks_ ? nb::object(nb::bytes(each.places.data(), 8 * each.places.size())) : nb::none()));
    }
    done_.clear();
    return nb::make_tuple(read_, made);
  }

 private:
  // Reads so many keys; false at their end.
  bool read(std::size_t keys) {
    const auto go_on = [&] {
      const std::size_t taken = taken_;
      for (const std::size_t end = read_ + keys; read_ < end && taken_ - taken < turn_bytes;) {
        const tile some = source_->next(std::min(tile_keys_, end - read_));
        if (some.size() == 0) return false;
        const std::size_t before = taken_;
        take(some);
        const bool are_long = taken_ - before > tile_bytes;
        tile_keys_ = are_long ? std::max(fewest_tile_keys, tile_keys_ / 2) : std::min(turn_keys, 2 * tile_keys_);
      }
      return true;
    };
    if (!source_->size()) return go_on();
    const nb::gil_scoped_release others_run;
    return go_on();
  }

  void take(const tile& some) {
    const tile good = asks_ ? some : some.before_null();
    for (std::size_t i = 0; i < good.integers.size(); ++i) {
      std::array<std::byte, 8> bytes;
      seen::store_le(bytes.data(), good.integers[i]);
      put(good, i, bytes);
    }
    for (std::size_t i = 0; i < good.bytes.size(); ++i) put(good, i, good.bytes[i]);
    read_ += good.size();
    if (good.size() != some.size()) refuse_null(read_);
    if (waiting_ > waiting_bytes) hand_out_all();
  }

  void put(const tile& some, std::size_t i, seen::bytes_view key) {
    if (!some.valid.empty() && !some.valid[i]) return;  // nothing is asked about a null
    piece& to = parts_[seen::mulhi(hash_(key).value, parts_.size())];
    const std::size_t before = to.words.size();
    std::array<char, 24> length{'$'};
    char* const end = std::to_chars(length.data() + 1, length.data() + length.size(), key.size()).ptr;
    to.words.append(length.data(), end).append("\r\n");
    to.words.append(reinterpret_cast<const char*>(key.data()), key.size()).append("\r\n");
    to.places.push_back(read_ + i);
    waiting_ += to.words.size() - before;
    taken_ += to.words.size() - before;
    if (to.places.size() == piece_keys || to.words.size() >= piece_bytes) hand_out(to);
  }

  void hand_out(piece& of) {
    waiting_ -= of.words.size();
    done_.push_back(std::exchange(of, {.part = of.part}));
  }
  void hand_out_all() {
    for (piece& each : parts_) {
      if (!each.places.empty()) hand_out(each);
    }
  }

  std::unique_ptr<key_source> source_;
  seen::xxh3_64 hash_;
  bool asks_;
  std::vector<piece> parts_, done_;
  std::size_t read_ = 0, waiting_ = 0;
  std::size_t taken_ = 0;  // bytes of all keys so far
  std::size_t tile_keys_ = fewest_tile_keys;
  bool ended_ = false;
  kept_exception raised_;
};

// Writes replies to the places of a piece.
void place(nb::bytearray answers, const nb::bytes& places, const nb::list& replies) {
  char* const out = static_cast<char*>(answers.data());
  const std::size_t count = places.size() / 8;
  if (replies.size() != count) throw nb::value_error("place: as many replies as places are wanted");
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = seen::load_le<std::uint64_t>(reinterpret_cast<const std::byte*>(places.data()) + 8 * i);
    if (at >= answers.size()) throw nb::value_error("place: there is no such place");
    const int truth = PyObject_IsTrue(nb::handle(PyList_GET_ITEM(replies.ptr(), static_cast<Py_ssize_t>(i))).ptr());
    if (truth < 0) throw nb::python_error();
    out[at] = static_cast<char>(truth);
  }
}

}  // namespace

void define_routing(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<router>(m, "Router", "Shares keys out among the parts of a filter over a cluster: for seenfilter.redis.")
      .def(nb::init<nb::handle, std::uint64_t, std::uint64_t, bool>(), "keys"_a, "parts"_a, "seed"_a, "asks"_a,
           nb::sig("def __init__(self, keys: Keys, parts: int, seed: int, asks: bool) -> None"))
      .def("turn", &router::turn, "keys"_a,
           nb::sig("def turn(self, keys: int) -> tuple[int, list[tuple[int, int, bytes, bytes | None]]] | None"),
           "Reads so many keys more, or fewer that are long. Returns how many it has read in all, and pieces: part, "
           "keys, words, places.");
  m.def("place", &place, "answers"_a, "places"_a, "replies"_a,
        nb::sig("def place(answers: bytearray, places: bytes, replies: list[Any]) -> None"),
        "Writes the replies to a piece to their places.");
}

}  // namespace seen_python
