// The kinds as the harness wants them: made for n keys at 1 %, filled and asked with integers.
#pragma once

#include <seen/seen.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

namespace seen::bench {

template <class F>
struct of_seen {
  explicit of_seen(std::size_t n) : f({.capacity = n, .fpr = 0.01}) {}
  explicit of_seen(F made) : f(std::move(made)) {}

  void add(std::uint64_t key) {
    if constexpr (fallible_engine<typename F::engine_type>) {
      must(f.add(key));
    } else {
      f.add(key);
    }
  }
  void add_batch(std::span<const std::uint64_t> keys) {
    if constexpr (fallible_engine<typename F::engine_type>) {
      must(f.add_many(keys) == keys.size());
    } else {
      f.add_many(keys);
    }
  }
  [[nodiscard]] bool contains(std::uint64_t key) const { return f.may_contain(key); }
  std::size_t contains_batch(std::span<const std::uint64_t> keys, bool* out) const {
    return f.may_contain_many(keys, {out, keys.size()});
  }
  [[nodiscard]] std::size_t bytes() const { return static_cast<std::size_t>(memory_of(f.engine())); }

  static void must(bool added) {
    if (!added) std::abort();  // a filter without all its keys has no times worth printing
  }
  F f;
};

struct seen_bloom : of_seen<bloom> {
  static constexpr const char* name = "bloom";
  using of_seen::of_seen;
};
struct seen_concurrent : of_seen<concurrent_bloom> {
  static constexpr const char* name = "concurrent_bloom";
  using of_seen::of_seen;
};
struct seen_partitioned : of_seen<partitioned_bloom> {
  static constexpr const char* name = "partitioned_bloom";
  using of_seen::of_seen;
};
struct seen_blocked : of_seen<blocked_bloom> {
  static constexpr const char* name = "blocked_bloom";
  using of_seen::of_seen;
};
struct seen_concurrent_blocked : of_seen<concurrent_blocked_bloom> {
  static constexpr const char* name = "concurrent_blocked_bloom";
  using of_seen::of_seen;
};
struct seen_split_block : of_seen<split_block> {
  static constexpr const char* name = "split_block";
  using of_seen::of_seen;
};
struct seen_counting : of_seen<counting_bloom> {
  static constexpr const char* name = "counting_bloom";
  using of_seen::of_seen;
};
struct seen_blocked_counting : of_seen<blocked_counting_bloom> {
  static constexpr const char* name = "blocked_counting_bloom";
  using of_seen::of_seen;
};
struct seen_scalable : of_seen<scalable_bloom> {
  static constexpr const char* name = "scalable_bloom";
  using of_seen::of_seen;
};
struct seen_quotient : of_seen<quotient> {
  static constexpr const char* name = "quotient";
  using of_seen::of_seen;
};
struct seen_windowed : of_seen<windowed_bloom> {
  static constexpr const char* name = "windowed_bloom";
  using of_seen::of_seen;
};

/// Fingerprints of 16 bits, one aligned word a bucket, whatever rate that gives.
template <class F>
struct of_cuckoo_16 : of_seen<F> {
  explicit of_cuckoo_16(std::size_t n)
      : of_seen<F>(F(cuckoo_params::plan({.capacity = n, .fpr = 0.01}, {.fingerprint_bits = 16}).value())) {}
};
struct seen_cuckoo : of_cuckoo_16<cuckoo> {
  static constexpr const char* name = "cuckoo_16";
  using of_cuckoo_16::of_cuckoo_16;
};
struct seen_concurrent_cuckoo : of_cuckoo_16<concurrent_cuckoo> {
  static constexpr const char* name = "concurrent_cuckoo_16";
  using of_cuckoo_16::of_cuckoo_16;
};

/// A static kind with fingerprints of 8 bits: rate 1/256, whatever the others have.
template <class F>
struct of_static {
  explicit of_static(std::size_t) {}

  void add_batch(std::span<const std::uint64_t> keys) {
    auto built = F::build(keys, wishes());
    if (!built) std::abort();
    f = std::move(*built);
  }
  [[nodiscard]] bool contains(std::uint64_t key) const { return f.may_contain(key); }
  std::size_t contains_batch(std::span<const std::uint64_t> keys, bool* out) const {
    return f.may_contain_many(keys, {out, keys.size()});
  }
  [[nodiscard]] std::size_t bytes() const { return static_cast<std::size_t>(memory_of(f.engine())); }

  [[nodiscard]] virtual typename F::params_type wishes() const { return {.fingerprint_bits = 8}; }
  virtual ~of_static() = default;
  F f{typename F::engine_type(), typename F::hash_type()};
};
struct seen_binary_fuse : of_static<binary_fuse> {
  static constexpr const char* name = "binary_fuse_8";
  using of_static::of_static;
};
struct seen_binary_fuse_4 : of_static<binary_fuse> {
  static constexpr const char* name = "binary_fuse_8_4-wise";
  using of_static::of_static;
  [[nodiscard]] binary_fuse_params wishes() const override { return {.fingerprint_bits = 8, .arity = 4}; }
};
struct seen_binary_fuse_shards : of_static<binary_fuse> {
  static constexpr const char* name = "binary_fuse_8_4-shards";
  using of_static::of_static;
  [[nodiscard]] binary_fuse_params wishes() const override { return {.fingerprint_bits = 8, .shards = 4}; }
};
struct seen_ribbon_fast : of_static<ribbon> {
  static constexpr const char* name = "ribbon_8_fast";
  using of_static::of_static;
};
struct seen_ribbon_compact : of_static<ribbon> {
  static constexpr const char* name = "ribbon_8_compact";
  using of_static::of_static;
  [[nodiscard]] ribbon_params wishes() const override {
    return {.fingerprint_bits = 8, .setting = ribbon_setting::compact};
  }
};
struct seen_xor : of_static<xor_filter> {
  static constexpr const char* name = "xor_8";
  using of_static::of_static;
};

}  // namespace seen::bench
