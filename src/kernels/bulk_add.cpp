// The window of kernels/bulk_add.hpp: shares, one per thread, each with room for its digests of every part.
#include <seen/base/bits.hpp>
#include <seen/base/threads.hpp>
#include <seen/kernels/bulk_add.hpp>
#include <seen/storage/storage.hpp>

#include <algorithm>
#include <array>
#include <new>
#include <optional>
#include <utility>
#include <vector>

namespace seen::inline v1::kernels {
namespace {

constexpr std::size_t tile_digests = 1024;  // hashed at once

// A share of a window, scattered by one thread: its digests of each part, in order.
class share {
 public:
  share(const bulk_plan& plan, std::uint64_t digests) : plan_(plan), counts_(plan.parts) {
    // Uniform digests never need more than the mean and eight deviations; others end a window early. A
    // tile is scattered without looking at the room.
    const std::uint64_t mean = digests / plan.parts;
    std::uint64_t deviation = 1;
    while (deviation * deviation < mean) ++deviation;
    usable_ = static_cast<std::size_t>(mean + 8 * deviation);
    room_ = usable_ + tile_digests;
    auto bytes = storage::allocate(plan.parts * room_ * sizeof(std::uint64_t));
    if (!bytes) throw std::bad_alloc();
    bytes_ = std::move(*bytes);
  }

  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  [[nodiscard]] std::span<const digest> digests_of(std::size_t part) const noexcept {
    return {all() + part * room_, counts_[part]};
  }

  /// Takes digests from `first` on, at most `most` of them; fewer if some part has no room for more.
  void scatter(std::uint64_t first, std::uint64_t most, bulk_work& work) {
    std::fill(counts_.begin(), counts_.end(), 0);
    size_ = 0;
    std::array<digest, tile_digests> tile;
    while (size_ < most && *std::max_element(counts_.begin(), counts_.end()) <= usable_) {
      const auto some =
          std::span(tile).first(static_cast<std::size_t>(std::min<std::uint64_t>(most - size_, tile.size())));
      work.read(first + size_, some);
      digest* const to = all();
      std::uint32_t* const counts = counts_.data();
      const std::size_t room = room_;
      for (const digest d : some) {
        const std::size_t part = part_of(plan_, d);
        to[part * room + counts[part]++] = d;
      }
      size_ += some.size();
    }
  }

  static std::size_t part_of(const bulk_plan& plan, digest d) noexcept {
    return static_cast<std::size_t>(std::min<std::uint64_t>(plan.map.spot_of(d).bucket >> plan.shift, plan.parts - 1));
  }

 private:
  [[nodiscard]] digest* all() const noexcept {
    return reinterpret_cast<digest*>(const_cast<std::byte*>(bytes_.data()));
  }

  bulk_plan plan_;
  std::vector<std::uint32_t> counts_;
  std::size_t usable_ = 0, room_ = 0;  // digests of a part
  std::uint64_t size_ = 0;
  storage bytes_;
};

// The shares of one window, in order.
class window {
 public:
  window(const bulk_plan& plan, unsigned threads)
      : plan_(plan), threads_(threads), took_(plan.parts), kept_(plan.parts) {
    for (unsigned i = 0; i < threads; ++i) shares_.emplace_back(plan, ceil_div(plan.window, threads));
  }

  /// Takes the next digests; how many.
  std::uint64_t scatter(std::uint64_t first, std::uint64_t left, bulk_work& work) {
    const std::uint64_t each = ceil_div(plan_.window, threads_);
    detail::for_each_index(threads_, threads_, [&](std::size_t i) {
      const std::uint64_t begin = std::min<std::uint64_t>(i * each, left);
      shares_[i].scatter(first + begin, std::min(each, left - begin), work);
      return true;
    });
    // A share that ended early leaves a gap: what comes after it is of the next window.
    used_ = 0;
    std::uint64_t sum = 0;
    while (used_ < threads_ && sum == std::min<std::uint64_t>(used_ * each, left)) sum += shares_[used_++].size();
    size_ = sum;
    return sum;
  }

  /// Adds the digests of every part; whether all fitted. Neighbouring parts take turns: a word at their border may be
  /// written from both sides.
  bool drain(bulk_work& work) {
    for (const std::size_t first : {std::size_t{0}, std::size_t{1}}) {
      detail::for_each_index((plan_.parts + 1 - first) / 2, threads_, [&](std::size_t i) {
        const std::size_t part = 2 * i + first;
        took_[part] = 0;
        for (std::size_t s = 0; s < used_; ++s) {
          const auto digests = shares_[s].digests_of(part);
          const std::size_t some = work.add(digests);
          took_[part] += some;
          if (some != digests.size()) break;
        }
        return true;
      });
    }
    for (std::size_t part = 0; part < plan_.parts; ++part) {
      if (took_[part] != size_of(part)) return false;
    }
    return true;
  }

  /// How many digests, from the window's first, came before the first one that found no room; all others are taken out.
  std::uint64_t give_back(std::uint64_t first, bulk_work& work) {
    std::vector<std::uint64_t>& kept = kept_;
    std::fill(kept.begin(), kept.end(), 0);
    std::array<digest, tile_digests> tile;
    std::uint64_t before = 0;
    for (bool found = false; !found && before < size_;) {
      const auto some =
          std::span(tile).first(static_cast<std::size_t>(std::min<std::uint64_t>(size_ - before, tile.size())));
      work.read(first + before, some);
      for (const digest d : some) {
        const std::size_t part = share::part_of(plan_, d);
        if ((found = kept[part] == took_[part])) break;
        ++kept[part];
        ++before;
      }
    }
    for (std::size_t part = 0; part < plan_.parts; ++part) {
      for (std::size_t s = 0; s < used_; ++s) {
        const auto digests = shares_[s].digests_of(part);
        const auto clip = [&](std::uint64_t n) {
          return static_cast<std::size_t>(std::min<std::uint64_t>(n, digests.size()));
        };
        const std::size_t from = clip(kept[part]), to = clip(took_[part]);
        work.remove(digests.subspan(from, to - from));
        kept[part] -= clip(kept[part]);
        took_[part] -= to;
      }
    }
    return before;
  }

 private:
  [[nodiscard]] std::uint64_t size_of(std::size_t part) const noexcept {
    std::uint64_t sum = 0;
    for (std::size_t s = 0; s < used_; ++s) sum += shares_[s].digests_of(part).size();
    return sum;
  }

  bulk_plan plan_;
  unsigned threads_;
  std::vector<share> shares_;
  std::size_t used_ = 0;             // shares that follow one another
  std::uint64_t size_ = 0;           // digests in them
  std::vector<std::uint64_t> took_;  // digests of each part that fitted
  std::vector<std::uint64_t> kept_;  // those of them that stay
};

}  // namespace

bulk_plan bulk_plan::of(std::uint64_t keys, const cuckoo_map& map, std::uint64_t chunks, std::uint64_t bytes) noexcept {
  // Windows begin at tables of twice a common second-level cache: chosen, not measured (4,000,000 keys of 16
  // bits, 8 MiB, gain a third). A window visits every line of the table a few times: fewer keys than that do better to
  // go straight to their lines.
  constexpr std::uint64_t least_bytes = std::uint64_t{2} << 20;
  constexpr std::uint64_t most_window = std::uint64_t{1} << 24;  // 128 MiB
  bulk_plan plan{.map = map, .shift = map.chunk_bits(), .window = std::min(map.buckets / 2, most_window)};
  if (bytes < least_bytes || chunks < 2 || keys < plan.window / 4) return plan;
  plan.window = std::min(plan.window, keys);
  std::uint64_t parts = chunks;
  for (; parts > most_parts; ++plan.shift) parts = ceil_div(parts, 2);
  plan.parts = static_cast<std::size_t>(parts);
  return plan;
}

std::optional<std::uint64_t> bulk_add(const bulk_plan& plan, std::uint64_t count, unsigned threads, bulk_work& work) {
  std::optional<window> w;
  try {
    w.emplace(plan, detail::threads_for(threads));
  } catch (const std::bad_alloc&) {
    return {};
  }
  for (std::uint64_t done = 0; done < count;) {
    const std::uint64_t some = w->scatter(done, count - done, work);
    if (!w->drain(work)) return done + w->give_back(done, work);
    done += some;
  }
  return count;
}

}  // namespace seen::inline v1::kernels
