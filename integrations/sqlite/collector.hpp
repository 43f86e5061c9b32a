// collector: keys whose number is not known, and the filter of them at the end.
//
//   keys ──hash──► digests, 8 bytes each ──► without equal ones ──► a filter planned for as many as are left
//                                      └──► of a static kind: all of them to its builder
//
// So a filter has the size that its keys need, whatever kind it is, and equal keys give an equal filter in any order.
#pragma once

#include <seen/any_filter.hpp>
#include <seen/building/shard_build.hpp>
#include <seen/registry.hpp>

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "support.hpp"

namespace seen::sqlite {

/// What a filter should be, but for the number of its keys.
struct wish {
  double fpr = 0.01;
  std::string kind = {};  ///< empty: the default kind

  friend bool operator==(const wish&, const wish&) = default;
};

class collector {
 public:
  /// `who` is the function that messages begin with.
  collector(std::string_view who, const wish& wanted)
      : who_(who),
        fpr_(wanted.fpr),
        kind_(wanted.kind.empty() ? &kinds()[0] : need(who, find_kind(wanted.kind))),
        hash_(need(who, any_hash::make(kind_->usual_hash))),
        digests_(need(who, building::digest_collector::make(options()))) {
    if (!(fpr_ > 0 && fpr_ < 1)) throw failure(SQLITE_ERROR, who_ + ": the rate must be between 0 and 1");
  }

  template <key_like Key>
  void add(const Key& key) {
    waiting_[count_++] = hash_key(hash_, key);
    if (count_ == waiting_.size()) keep();
  }

  [[nodiscard]] any_filter finish() && {
    keep();
    if (is_static()) return need(who_, kind_->build(make_options(), options(), hash_, std::move(digests_)));
    const std::span<const std::uint64_t> all = need(who_, digests_.sorted());
    const auto keys = std::max<std::uint64_t>(1, all.size());
    auto filter = need(who_, any_filter::make({.kind = std::string(kind_->kind.name), .target = {keys, fpr_}}));
    for (const std::uint64_t each : all) need(who_, filter.add(digest(each)));
    return filter;
  }

 private:
  [[nodiscard]] bool is_static() const noexcept { return kind_->build != nullptr; }
  [[nodiscard]] building::sharded_options options() const {
    building::sharded_options how;
    how.fpr = fpr_;
    how.shards = is_static() ? 0 : 1;  // in one array, which sorted() needs
    return how;
  }
  void keep() {
    need(who_, digests_.add(std::span(waiting_).first(count_)));
    count_ = 0;
  }

  std::string who_;
  double fpr_;
  const kind_row* kind_;
  any_hash hash_;
  building::digest_collector digests_;
  std::array<digest, 256> waiting_;
  std::size_t count_ = 0;
};

}  // namespace seen::sqlite
