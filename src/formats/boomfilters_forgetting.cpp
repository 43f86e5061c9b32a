// The types of BoomFilters that lose keys by design: stable, which lowers random cells to make room, and inverse, where a
// key takes the slot of another.
#include <seen/hash/fnv1a.hpp>
#include <seen/hash/xxh3.hpp>

#include "formats/boomfilters.hpp"
#include "formats/engines/packed_counters.hpp"

namespace seen::inline v1::boomfilters {
namespace {

using namespace foreign;

// --- stable

class stable_engine : public packed_counter_engine<sum_rule<as_it_is>> {
  using base = packed_counter_engine<sum_rule<as_it_is>>;

 public:
  static constexpr kind_info kind{.id = 0, .name = "stable-bloom"};

  stable_engine() = default;
  /// `lowered`: how many cells every add lowers, beginning at a random one. The generator starts from what the cells hold,
  /// so that a file that is opened for every key does not lower the same cells again and again.
  stable_engine(base engine, std::uint64_t lowered)
      : base(std::move(engine)), lowered_(lowered), random_(xxh3_64()(bytes()).value) {}

  void add(const digest_type& d) noexcept {
    lower();
    visit(d, [this](std::uint64_t at) { set(at, maximum()); });
  }
  void add_many(std::span<const digest_type> digests) noexcept {
    for (const digest_type& d : digests) add(d);
  }
  // Cells say how long ago a key was added, not how often.
  bool remove(const digest_type&) = delete;
  std::uint64_t count(const digest_type&) const = delete;

  [[nodiscard]] std::uint64_t lowered() const noexcept { return lowered_; }

 private:
  // One after the other from a random one, beyond the last the first again: by whole rounds, and the rest.
  void lower() noexcept {
    const std::uint64_t cells = shape().counters;
    random_ = splitmix64(random_);
    const std::uint64_t first = random_ % cells, rounds = lowered_ / cells, rest = lowered_ % cells;
    if (rounds != 0) {
      for (std::uint64_t i = 0; i < cells; ++i) set(i, value(i) - std::min(value(i), rounds));
    }
    for (std::uint64_t i = 0; i < rest; ++i) {
      const std::uint64_t at = first + i < cells ? first + i : first + i - cells;
      const std::uint64_t now = value(at);
      set(at, now - (now != 0));
    }
  }

  std::uint64_t lowered_ = 0;
  std::uint64_t random_ = 0;
};
using stable_filter = filter<stable_engine, foreign_hash<digest_pair>>;

result<any_filter> wrap_stable(const counter_shape& shape, storage cells, std::uint64_t lowered,
                               std::vector<std::byte> scratch, const shared_framing& frame) {
  auto engine = stable_engine::over(shape, std::move(cells));
  if (!engine) return engine.error();
  stable_filter f(stable_engine(std::move(*engine), lowered), pair_hash());
  return wrapped(std::move(f), stable, frame, [scratch = std::move(scratch)](const stable_filter& f, byte_writer& to) {
    const counter_shape shape = f.shape();
    to.be(shape.counters).be(f.engine().lowered()).be(std::uint64_t{shape.probes});
    to.u8((1U << shape.counter_bits) - 1).be(std::uint64_t{scratch.size() / 8}).bytes(scratch);
    put_buckets(to, shape.counter_bits, shape.counters, f.engine().bytes());
  });
}

bool stable_fits(byte_reader in) {
  const auto m = in.be<std::uint64_t>();
  in.skip(8);
  const auto k = in.be<std::uint64_t>();
  const std::uint64_t maximum = in.u8();
  if (in.be<std::uint64_t>() != k || k < 1 || k > max_probes) return false;
  in.skip(8 * k);
  byte_reader widths = in;
  widths.skip(1);
  return widths.u8() == maximum && only_buckets(in, m);
}

result<any_filter> open_stable(byte_reader& in, const shared_framing& frame) {
  const auto m = in.be<std::uint64_t>(), lowered = in.be<std::uint64_t>(), k = in.be<std::uint64_t>();
  in.skip(1 + 8);
  std::vector<std::byte> scratch = in.bytes(8 * k);
  const buckets b = read_buckets(in);
  const counter_shape shape{m, clamp_to_u32(k), clamp_to_u32(b.width)};
  auto cells = read_counters(in, b.bytes, shape.bytes());
  if (!cells) return cells.error();
  return wrap_stable(shape, std::move(*cells), lowered, std::move(scratch), frame);
}

// How many cells an add lowers so that the rate settles at the one asked for [Deng, Rafiei 2006].
std::uint64_t lowered_for(const counter_shape& shape, double fpr) {
  const double k = shape.probes, m = static_cast<double>(shape.counters);
  const double maximum = std::pow(2, shape.counter_bits) - 1;
  const double base = std::pow(1 - std::pow(fpr, 1 / k), 1 / maximum);
  const double lowered = 1 / ((1 / base - 1) * (1 / k - 1 / m));
  return lowered >= 1 && lowered < 0x1p53 ? static_cast<std::uint64_t>(lowered) : 1;
}

// The capacity is the number of cells, as the peer's constructor has it; "counter-bits" their width.
result<any_filter> make_stable(const make_options& options, const shared_framing& frame) {
  for (const named_field& each : options.shape) {
    if (each.name != "counter-bits" || each.value < 1 || each.value > 8) {
      return error{errc::invalid_argument, "boomfilters: a stable filter has no field but counter-bits, from 1 to 8"};
    }
  }
  if (auto sane = bloom_shape::plan(options.target); !sane) return sane.error();
  const double half = std::floor(optimal_k(options.target.fpr) / 2);
  const double probes = std::clamp(half, 1.0, std::min(255.0, static_cast<double>(options.target.capacity)));
  const counter_shape shape{options.target.capacity, static_cast<std::uint32_t>(probes),
                            static_cast<std::uint32_t>(field_or(options, "counter-bits", 1))};
  if (auto ok = shape.check(); !ok) return ok.error();
  auto cells = storage::allocate(shape.bytes());
  if (!cells) return cells.error();
  return wrap_stable(shape, std::move(*cells), lowered_for(shape, options.target.fpr),
                     std::vector<std::byte>(8 * std::size_t{shape.probes}), frame);
}

// --- inverse: the keys themselves

struct hashed_key {
  std::uint64_t hash = 0;
  key_reference key = {};
};
std::uint64_t identifying_word(const hashed_key& d) noexcept {
  return splitmix64(d.hash ^ identifying_word(d.key));
}

struct inverse_shape {
  std::uint64_t slots = 0;

  static result<inverse_shape> plan(const target& asked) { return inverse_shape{asked.capacity}; }
  static constexpr std::array<std::string_view, 1> field_names{"slots"};
  [[nodiscard]] std::array<std::uint64_t, 1> fields() const noexcept { return {slots}; }
  static result<inverse_shape> from_fields(std::span<const std::uint64_t, 1> f) { return inverse_shape{f[0]}; }
  [[nodiscard]] std::size_t bytes() const noexcept { return static_cast<std::size_t>(slots) * sizeof(std::uint32_t); }
  [[nodiscard]] std::uint32_t lines() const noexcept { return 2; }
  [[nodiscard]] double expected_fpr(std::uint64_t) const noexcept { return 0; }

  bool operator==(const inverse_shape&) const = default;
};

// A slot without a key and one with the empty key are the same in the file, so the empty key is never there.
//
//   slots  [0][3][0][1][2] …      0, or which of the keys is there: memory that is looked for before it is taken, and that
//   keys   [key][key][key]        the machine gives when a slot is first used
class inverse_engine {
 public:
  using digest_type = hashed_key;
  using shape_type = inverse_shape;
  using access_type = plain_access;
  static constexpr kind_info kind{.id = 0, .name = "inverse-bloom"};
  static constexpr std::uint16_t index_rule = 0;

  inverse_engine() = default;
  static result<inverse_engine> make(const inverse_shape& shape) {
    auto slots = storage::allocate(shape.bytes());
    if (!slots) return slots.error();
    return inverse_engine(std::move(*slots));
  }

  void add(const hashed_key& d) {
    if (slots() != 0) put(slot_of(d), d.key.bytes());
  }
  void add_many(std::span<const hashed_key> digests) {
    for (const hashed_key& d : digests) add(d);
  }
  /// Puts a key into a slot, or none where it is empty.
  void put(std::uint64_t slot, bytes_view key) {
    std::uint32_t& at = numbers()[slot];
    if (at != 0) {
      keys_[at - 1].assign(key.begin(), key.end());
    } else if (!key.empty()) {
      keys_.emplace_back(key.begin(), key.end());
      at = static_cast<std::uint32_t>(keys_.size());
    }
  }
  [[nodiscard]] bool may_contain(const hashed_key& d) const noexcept {
    const bytes_view key = d.key.bytes();
    return slots() != 0 && !key.empty() && std::ranges::equal(key_in(slot_of(d)), key);
  }
  std::size_t may_contain_many(std::span<const hashed_key> digests, bool* out) const noexcept {
    std::size_t found = 0;
    for (const hashed_key& d : digests) found += * out++ = may_contain(d);
    return found;
  }
  void clear() noexcept {
    std::fill_n(numbers(), slots(), 0);
    keys_.clear();
  }

  [[nodiscard]] inverse_shape shape() const noexcept { return {slots()}; }
  [[nodiscard]] std::uint64_t slots() const noexcept { return storage_.size() / sizeof(std::uint32_t); }
  /// The content of a slot; no bytes if it is empty.
  [[nodiscard]] bytes_view key_in(std::uint64_t slot) const noexcept {
    const std::uint32_t at = numbers()[slot];
    return at == 0 ? bytes_view() : bytes_view(keys_[at - 1]);
  }
  [[nodiscard]] std::vector<engine_part> parts() const {
    std::vector<engine_part> parts;
    for (std::uint64_t slot = 0; slot < slots(); ++slot) parts.push_back({{}, key_in(slot)});
    return parts;
  }
  [[nodiscard]] std::uint64_t census() const noexcept { return size(); }
  [[nodiscard]] std::uint64_t size() const noexcept {
    return static_cast<std::uint64_t>(std::ranges::count_if(keys_, [](const auto& key) { return !key.empty(); }));
  }
  [[nodiscard]] double fill() const noexcept {
    return slots() == 0 ? 0 : static_cast<double>(size()) / static_cast<double>(slots());
  }
  [[nodiscard]] double estimated_count() const noexcept { return static_cast<double>(size()); }
  [[nodiscard]] double estimated_fpr() const noexcept { return 0; }
  [[nodiscard]] bool saturated() const noexcept { return false; }

 private:
  explicit inverse_engine(storage slots) noexcept : storage_(std::move(slots)) {}

  [[nodiscard]] std::uint64_t slot_of(const hashed_key& d) const noexcept { return d.hash % slots(); }
  [[nodiscard]] std::uint32_t* numbers() noexcept { return reinterpret_cast<std::uint32_t*>(storage_.data()); }
  [[nodiscard]] const std::uint32_t* numbers() const noexcept {
    return reinterpret_cast<const std::uint32_t*>(storage_.data());
  }

  storage storage_;
  std::vector<std::vector<std::byte>> keys_;
};
using inverse_filter = filter<inverse_engine, foreign_hash<hashed_key>>;

struct fnv1_slot {
  hashed_key operator()(bytes_view key) const noexcept { return {fnv1_32(key), key_reference(key)}; }
};

constexpr std::uint64_t most_slots = 0xffff'ffff;  // the peer's remainder is of 32 bits

any_filter wrap_inverse(inverse_engine engine, const gob::numbered_type& as, const shared_framing& frame) {
  inverse_filter f(std::move(engine), {fnv1_slot(), named(hash_id::fnv1_32)});
  std::vector<std::byte> definitions(as.definitions.begin(), as.definitions.end());
  return wrapped(std::move(f), inverse, frame,
                 [definitions = std::move(definitions), number = as.number](const inverse_filter& f, byte_writer& to) {
                   gob::writer list;
                   const std::uint64_t slots = f.engine().slots();
                   list.natural(slots);
                   for (std::uint64_t slot = 0; slot < slots; ++slot) list.bytes(f.engine().key_in(slot));
                   const auto stream = list.finish({definitions, number}, false);
                   to.be(slots).be(std::uint64_t{stream.size()}).bytes(stream);
                 });
}

bool inverse_fits(byte_reader in) {
  const auto slots = in.be<std::uint64_t>(), bytes = in.be<std::uint64_t>();
  return in.check("the head") && slots >= 1 && slots <= most_slots && bytes == in.remaining() && slots < bytes;
}

result<any_filter> open_inverse(byte_reader& in, const shared_framing& frame) {
  const auto count = in.be<std::uint64_t>();
  in.skip(8);
  const std::vector<std::byte> raw = in.bytes(in.remaining());
  if (auto ok = in.check("the keys"); !ok) return ok.error();
  auto stream = gob::parse(raw);
  if (!stream) return in.about(stream.error());
  const auto& items = stream->root.items;
  if (stream->root.kind != gob::type::list || items.size() != count || items[0].kind != gob::type::bytes) {
    return in.corrupt(std::to_string(count) + " slots are announced; the gob has " + std::to_string(items.size()));
  }
  auto filled = inverse_engine::make({count});
  if (!filled) return in.about(filled.error());
  for (std::size_t slot = 0; slot < items.size(); ++slot) filled->put(slot, items[slot].bytes);
  return wrap_inverse(std::move(*filled), stream->as, frame);
}

result<any_filter> make_inverse(const make_options& options, const shared_framing& frame) {
  if (!options.shape.empty()) {
    return error{errc::invalid_argument, "boomfilters: an inverse filter has nothing but its capacity"};
  }
  const std::uint64_t slots = options.target.capacity;
  if (slots < 1 || slots > most_slots) {
    return error{errc::invalid_argument, "boomfilters: an inverse filter has from 1 to 2^32 - 1 slots"};
  }
  auto empty = inverse_engine::make({slots});
  if (!empty) return empty.error();
  return wrap_inverse(std::move(*empty), gob::list_of_bytes(), frame);
}

}  // namespace

constinit const variant_row stable{"stable", stable_filter::kind.name, stable_fits, open_stable, make_stable};
constinit const variant_row inverse{"inverse", inverse_filter::kind.name, inverse_fits, open_inverse, make_inverse};

}  // namespace seen::inline v1::boomfilters
