// The types of BoomFilters that forget nothing: classic, counting, partitioned, scalable.
#include "formats/boomfilters.hpp"
#include "formats/engines/chain.hpp"
#include "formats/engines/packed_counters.hpp"
#include "formats/engines/tally.hpp"

namespace seen::inline v1::boomfilters {
namespace {

using namespace foreign;

bool sensible_probes(std::uint64_t k) {
  return k >= 1 && k <= max_probes;
}

// --- classic

using classic_engine = tally_engine<engines::bloom_engine<sum_rule<as_it_is>>, counts_adds>;
using classic_filter = filter<classic_engine, foreign_hash<digest_pair>>;

any_filter wrap_classic(classic_filter f, const shared_framing& frame) {
  return wrapped(std::move(f), classic, frame, [](const classic_filter& f, byte_writer& to) {
    const probe_shape shape = f.shape();
    to.be(f.engine().size()).be(shape.bits).be(std::uint64_t{shape.probes});
    put_buckets(to, 1, shape.bits, f.engine().bytes());
  });
}

bool classic_fits(byte_reader in) {
  in.skip(8);  // the count may be anything
  const auto m = in.be<std::uint64_t>(), k = in.be<std::uint64_t>();
  byte_reader width = in;
  return sensible_probes(k) && width.u8() == 1 && only_buckets(in, m);
}

result<any_filter> open_classic(byte_reader& in, const shared_framing& frame) {
  const auto count = in.be<std::uint64_t>(), m = in.be<std::uint64_t>(), k = in.be<std::uint64_t>();
  in.skip(buckets_head);
  auto shape = probe_shape::make(m, k);
  if (!shape) return in.about(shape.error());
  auto bits = read_bits(in, in.remaining(), m);
  if (!bits) return bits.error();
  auto engine = classic_engine::over(*shape, std::move(*bits));
  if (!engine) return in.about(engine.error());
  return wrap_classic(classic_filter(classic_engine(std::move(*engine), count), pair_hash()), frame);
}

result<probe_shape> planned(const make_options& options) {
  return shape_for(format, options, [](const target& asked) { return optimal_shape(asked.capacity, asked.fpr); });
}

result<any_filter> make_classic(const make_options& options, const shared_framing& frame) {
  auto shape = planned(options);
  if (!shape) return shape.error();
  auto engine = classic_engine::make(*shape);
  if (!engine) return engine.error();
  return wrap_classic(classic_filter(classic_engine(std::move(*engine), 0), pair_hash()), frame);
}

// --- counting

using counting_engine = counted_counters<sum_rule<as_it_is>>;
using counting_filter = filter<counting_engine, foreign_hash<digest_pair>>;

result<any_filter> wrap_counting(const counter_shape& shape, storage counters, std::uint64_t count,
                                 std::vector<std::byte> scratch, const shared_framing& frame) {
  auto engine = counting_engine::over(shape, std::move(counters));
  if (!engine) return engine.error();
  counting_filter f(counting_engine(std::move(*engine), count), pair_hash());
  return wrapped(std::move(f), counting, frame,
                 [scratch = std::move(scratch)](const counting_filter& f, byte_writer& to) {
                   const counter_shape shape = f.shape();
                   to.be(shape.counters).be(std::uint64_t{shape.probes}).be(f.engine().size());
                   to.be(std::uint64_t{scratch.size() / 8}).bytes(scratch);
                   put_buckets(to, shape.counter_bits, shape.counters, f.engine().bytes());
                 });
}

bool partitioned_fits(byte_reader in);

// One slice of single bits, holding one key, could be counters of one bit too: nobody makes those.
bool counting_fits(byte_reader in) {
  if (partitioned_fits(in)) return false;
  const auto m = in.be<std::uint64_t>(), k = in.be<std::uint64_t>();
  in.skip(8);
  if (in.be<std::uint64_t>() != k || !sensible_probes(k)) return false;
  in.skip(8 * k);
  return only_buckets(in, m);
}

result<any_filter> open_counting(byte_reader& in, const shared_framing& frame) {
  const auto m = in.be<std::uint64_t>(), k = in.be<std::uint64_t>(), count = in.be<std::uint64_t>();
  in.skip(8);
  std::vector<std::byte> scratch = in.bytes(8 * k);
  const buckets b = read_buckets(in);
  const counter_shape shape{m, clamp_to_u32(k), clamp_to_u32(b.width)};
  auto counters = read_counters(in, b.bytes, shape.bytes());
  if (!counters) return counters.error();
  return wrap_counting(shape, std::move(*counters), count, std::move(scratch), frame);
}

result<any_filter> make_counting(const make_options& options, const shared_framing& frame) {
  const std::uint64_t width = field_or(options, "counter-bits", 4);
  if (width < 1 || width > 8) return error{errc::invalid_argument, "boomfilters: counter-bits must be from 1 to 8"};
  make_options rest = options;
  std::erase_if(rest.shape, [](const named_field& each) { return each.name == "counter-bits"; });
  auto plain = planned(rest);
  if (!plain) return plain.error();
  const counter_shape shape{plain->bits, plain->probes, static_cast<std::uint32_t>(width)};
  if (auto ok = shape.check(); !ok) return ok.error();
  auto counters = storage::allocate(shape.bytes());
  if (!counters) return counters.error();
  return wrap_counting(shape, std::move(*counters), 0, std::vector<std::byte>(8 * std::size_t{shape.probes}), frame);
}

// --- partitioned: slices of s bits, each beginning with a byte of its own

class byte_slice_rule : public shaped_rule<byte_slice_rule> {
 public:
  using digest_type = digest_pair;
  struct state {
    std::uint64_t a, b, slice;
  };
  static constexpr kind_info kind = slice_rule::kind;

  /// `bits` is m; the slices are padded.
  static probe_shape padded(std::uint64_t m, std::uint32_t k) {
    return {.bits = m, .probes = k, .stored_bits = k == 0 ? 0 : k * round_up(ceil_div(m, k), 8)};
  }
  static result<byte_slice_rule> make(const probe_shape& shape) {
    if (auto ok = shape.check(); !ok) return ok.error();
    auto made = shaped_rule<byte_slice_rule>::make(padded(shape.bits, shape.probes));
    if (!made) return made;
    made->mod_ = detail::fastmod(made->slice_bits());
    made->stride_ = round_up(made->slice_bits(), 8);
    return made;
  }
  [[nodiscard]] std::uint64_t slice_bits() const noexcept { return ceil_div(shape_.bits, shape_.probes); }
  [[nodiscard]] std::uint64_t stride_bytes() const noexcept { return stride_ / 8; }

  [[nodiscard]] state start(digest_pair d) const noexcept { return {d.a, d.b, 0}; }
  template <std::size_t N>
  [[nodiscard]] std::array<std::uint64_t, N> take(state& from) const noexcept {
    std::array<std::uint64_t, N> at;
    for (std::size_t i = 0; i < N; ++i) at[i] = from.slice + i * stride_ + mod_(from.a + i * from.b);
    from = {from.a + N * from.b, from.b, from.slice + N * stride_};
    return at;
  }

 private:
  std::uint64_t stride_ = 0;
};

using slices = tally_engine<engines::bloom_engine<byte_slice_rule>, counts_adds>;
using partitioned_filter = filter<slices, foreign_hash<digest_pair>>;

struct slices_head {
  std::uint64_t m, k, s, count, slices;

  [[nodiscard]] bool agree() const noexcept {
    return sensible_probes(k) && slices == k && m >= 1 && m <= math::max_bits && s == ceil_div(m, k);
  }
};
slices_head read_head(byte_reader& in) {
  const auto m = in.be<std::uint64_t>(), k = in.be<std::uint64_t>(), s = in.be<std::uint64_t>();
  const auto count = in.be<std::uint64_t>(), parts = in.be<std::uint64_t>();
  return {m, k, s, count, parts};
}

// Goes over one partitioned filter.
bool skip_slices(byte_reader& in) {
  const slices_head head = read_head(in);
  if (!in.check("a head") || !head.agree()) return false;
  for (std::uint64_t i = 0; i < head.k; ++i) {
    const buckets b = read_buckets(in);
    if (!in.check("buckets") || !b.agree() || b.width != 1 || b.count != head.s) return false;
    in.skip(b.bytes);
  }
  return in.check("buckets").has_value();
}

result<slices> read_slices(byte_reader& in) {
  const slices_head head = read_head(in);
  const probe_shape shape = byte_slice_rule::padded(head.m, clamp_to_u32(head.k));
  auto bits = storage::allocate(shape.bytes());
  if (!bits) return bits.error();
  const auto bytes = static_cast<std::size_t>(ceil_div(head.s, 8));
  for (std::size_t i = 0; i < head.k; ++i) {
    in.skip(buckets_head);
    in.read(bits->bytes().subspan(i * bytes, bytes));
  }
  if (auto ok = in.check("the slices"); !ok) return ok.error();
  auto engine = slices::over(shape, std::move(*bits));
  if (!engine) return in.about(engine.error());
  return slices(std::move(*engine), head.count);
}

void put_slices(const slices& e, byte_writer& to) {
  const std::uint64_t s = e.rule().slice_bits(), k = e.probes(), stride = e.rule().stride_bytes();
  to.be(e.shape().bits).be(k).be(s).be(e.size()).be(k);
  for (std::uint64_t i = 0; i < k; ++i) {
    put_buckets(to, 1, s, e.bytes().subspan(static_cast<std::size_t>(i * stride)));
  }
}

bool partitioned_fits(byte_reader in) {
  return skip_slices(in) && in.remaining() == 0;
}

any_filter wrap_partitioned(slices engine, const shared_framing& frame) {
  return wrapped(partitioned_filter(std::move(engine), pair_hash()), partitioned, frame,
                 [](const partitioned_filter& f, byte_writer& to) { put_slices(f.engine(), to); });
}

result<any_filter> open_partitioned(byte_reader& in, const shared_framing& frame) {
  auto engine = read_slices(in);
  if (!engine) return engine.error();
  return wrap_partitioned(std::move(*engine), frame);
}

result<slices> empty_slices(const probe_shape& shape) {
  auto engine = slices::make(shape);
  if (!engine) return engine.error();
  return slices(std::move(*engine), 0);
}

result<any_filter> make_partitioned(const make_options& options, const shared_framing& frame) {
  auto shape = planned(options);
  if (!shape) return shape.error();
  auto engine = empty_slices(*shape);
  if (!engine) return engine.error();
  return wrap_partitioned(std::move(*engine), frame);
}

// --- scalable: partitioned filters of one hint, each with a rate r times the one before

struct tightening {
  double r, fpr, fill;
  std::uint64_t hint;

  static constexpr bool skips_present = false;

  result<void> make_room(std::vector<slices>& links) const {
    if (!links.empty()) {
      const slices& last = links.back();
      const double keys = static_cast<double>(last.size()), bits = static_cast<double>(last.rule().slice_bits());
      if (!(1 - std::exp(-keys / bits) >= fill)) return {};
    }
    const probe_shape shape = optimal_shape(hint, fpr * std::pow(r, static_cast<double>(links.size())));
    if (!shape.check() || (!links.empty() && shape.bytes() > most_of_next_link(links))) {
      return {errc::too_large, "boomfilters: the next filter would be too large"};
    }
    auto next = empty_slices(shape);
    if (!next) return error{errc::no_memory, next.error().detail, next.error().system};
    links.push_back(std::move(*next));
    return {};
  }
};

using scalable_engine = chain_engine<slices, tightening>;
using scalable_filter = filter<scalable_engine, foreign_hash<digest_pair>>;

any_filter wrap_scalable(scalable_engine engine, const shared_framing& frame) {
  return wrapped(scalable_filter(std::move(engine), pair_hash()), scalable, frame,
                 [](const scalable_filter& f, byte_writer& to) {
                   const tightening& g = f.engine().growth();
                   to.be(g.r).be(g.fpr).be(g.fill).be(g.hint).be(std::uint64_t{f.engine().links().size()});
                   for (const slices& each : f.engine().links()) put_slices(each, to);
                 });
}

tightening read_tightening(byte_reader& in) {
  const auto r = in.be<double>(), fpr = in.be<double>(), fill = in.be<double>();
  return {r, fpr, fill, in.be<std::uint64_t>()};
}

// The first filter is of the size that hint and rate give, so that a lying hint makes no vast one later.
bool scalable_fits(byte_reader in) {
  const tightening g = read_tightening(in);
  const auto links = in.be<std::uint64_t>();
  const auto is_ratio = [](double x) { return x > 0 && x <= 1; };
  if (!in.check("the head") || !is_ratio(g.r) || !is_ratio(g.fpr) || !is_ratio(g.fill)) return false;
  byte_reader first = in;
  const auto m = static_cast<double>(first.be<std::uint64_t>());
  if (links == 0 || !(std::fabs(m - optimal_m(g.hint, g.fpr)) <= 1 + m / 1e6)) return false;
  for (std::uint64_t i = 0; i < links; ++i) {
    if (!skip_slices(in)) return false;
  }
  return in.remaining() == 0;
}

result<any_filter> open_scalable(byte_reader& in, const shared_framing& frame) {
  const tightening g = read_tightening(in);
  const auto count = in.be<std::uint64_t>();
  std::vector<slices> links;
  for (std::uint64_t i = 0; i < count; ++i) {
    auto link = read_slices(in);
    if (!link) return link.error();
    links.push_back(std::move(*link));
  }
  return wrap_scalable(scalable_engine(std::move(links), g), frame);
}

result<any_filter> make_scalable(const make_options& options, const shared_framing& frame) {
  tightening g{.r = 0.8, .fpr = options.target.fpr, .fill = 0.5, .hint = options.target.capacity};
  for (const named_field& each : options.shape) {
    if (each.name != "tightening" || each.type != field_type::real) {
      return error{errc::invalid_argument, "boomfilters: a scalable filter has no field but tightening, a ratio"};
    }
    g.r = each.as_real();
  }
  if (auto sane = bloom_shape::plan(options.target); !sane) return sane.error();
  if (!(g.r > 0 && g.r <= 1)) return error{errc::invalid_argument, "boomfilters: tightening must be from 0 to 1"};
  std::vector<slices> links;
  if (auto first = g.make_room(links); !first) return first.error();
  return wrap_scalable(scalable_engine(std::move(links), g), frame);
}

}  // namespace

constinit const variant_row classic{"classic", classic_filter::kind.name, classic_fits, open_classic, make_classic};
constinit const variant_row counting{"counting", counting_filter::kind.name, counting_fits, open_counting,
                                     make_counting};
constinit const variant_row partitioned{"partitioned", partitioned_filter::kind.name, partitioned_fits,
                                        open_partitioned, make_partitioned};
constinit const variant_row scalable{"scalable", scalable_filter::kind.name, scalable_fits, open_scalable,
                                     make_scalable};

}  // namespace seen::inline v1::boomfilters
