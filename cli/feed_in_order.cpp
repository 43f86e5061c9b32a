// One lock for all queues: it is taken twice per batch of some ten thousand keys.
#include "feed_in_order.hpp"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

namespace seen::cli {
namespace {

// What a thread hands over: an answer, an error, or that its part has ended.
struct item {
  std::unique_ptr<any_answer> answer;
  std::uint64_t keys = 0;
  std::uint64_t bytes = 0;  // read for it
  std::optional<error> failed;
  bad_tally bad;  // of a part that has ended
};

class in_order {
 public:
  in_order(const key_reader& reader, std::shared_ptr<const part_list> parts, unsigned threads,
           const answer_functions& functions)
      : reader_(reader),
        parts_(std::move(parts)),
        functions_(functions),
        queues_(parts_->size()),
        waiting_(queues_.size()),
        ahead_(2 * threads) {
    try {
      for (unsigned i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
    } catch (const std::system_error&) {
      // Fewer will do; without any the caller works.
    }
  }
  ~in_order() {
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
    }
    room_.notify_all();
    for (std::thread& each : threads_) each.join();
  }
  in_order(const in_order&) = delete;
  in_order& operator=(const in_order&) = delete;

  [[nodiscard]] bool has_threads() const noexcept { return !threads_.empty(); }

  // The next item in order; without an answer and an error at the end of everything.
  item next() {
    std::unique_lock lock(mutex_);
    for (; first_ < queues_.size(); ++first_, room_.notify_all()) {
      std::deque<item>& queue = queues_[first_];
      more_.wait(lock, [&] { return !queue.empty(); });
      item taken = std::move(queue.front());
      queue.pop_front();
      waiting_[first_] -= taken.keys;
      if (taken.answer != nullptr || taken.failed) return taken;
      bad_.push_back(std::move(taken.bad));
    }
    return {};
  }

  // Of all parts that have ended, in order.
  [[nodiscard]] const std::vector<bad_tally>& bad() const noexcept { return bad_; }

  void give_back(std::unique_ptr<any_answer> answer) {
    const std::lock_guard lock(mutex_);
    spare_.push_back(std::move(answer));
  }

 private:
  static constexpr std::uint64_t most_waiting = std::uint64_t{1}
                                                << 18;  // keys; more than a part of lines of 20 bytes has

  void work() {
    for (;;) {
      std::size_t part = 0;
      {
        std::unique_lock lock(mutex_);
        room_.wait(lock, [&] { return stopped_ || next_ == queues_.size() || next_ < first_ + ahead_; });
        if (stopped_ || next_ == queues_.size()) return;
        part = next_++;
      }
      item last;
      auto worked = or_no_memory([&] { return work_on(part, last.bad); });
      if (!worked) last.failed = worked.error();
      if (!put(part, std::move(last))) return;
    }
  }

  result<void> work_on(std::size_t part, bad_tally& bad) {
    key_reader reader = reader_.of(parts_, part);
    for (std::uint64_t bytes = 0;;) {
      auto batch = reader.next();
      if (!batch) return batch.error();
      if (batch->keys.empty()) {
        bad = reader.bad();
        return {};
      }
      item made;
      made.answer = room_for_answer();
      if (auto worked = functions_.work(*batch, reader, *made.answer); !worked) return worked;
      made.keys = batch->keys.size();
      made.bytes = reader.bytes_read() - std::exchange(bytes, reader.bytes_read());
      if (!put(part, std::move(made))) return {};
    }
  }

  std::unique_ptr<any_answer> room_for_answer() {
    {
      const std::lock_guard lock(mutex_);
      if (!spare_.empty()) {
        auto answer = std::move(spare_.back());
        spare_.pop_back();
        return answer;
      }
    }
    return functions_.make();
  }

  // False: nobody wants it.
  bool put(std::size_t part, item made) {
    std::unique_lock lock(mutex_);
    room_.wait(lock, [&] { return stopped_ || part == first_ || waiting_[part] < most_waiting; });
    if (stopped_) return false;
    waiting_[part] += made.keys;
    queues_[part].push_back(std::move(made));
    if (part == first_) more_.notify_one();
    return true;
  }

  const key_reader& reader_;
  std::shared_ptr<const part_list> parts_;
  const answer_functions& functions_;

  std::mutex mutex_;
  std::condition_variable more_;  // in the first queue
  std::condition_variable room_;  // in a queue, or for another part
  std::vector<std::deque<item>> queues_;
  std::vector<std::uint64_t> waiting_;  // keys in each
  std::vector<std::unique_ptr<any_answer>> spare_;
  std::vector<bad_tally> bad_;  // of the caller's thread
  std::size_t first_ = 0;       // part whose answers are used
  std::size_t next_ = 0;        // part to begin
  std::size_t ahead_;           // parts begun before the first one is done
  bool stopped_ = false;
  std::vector<std::thread> threads_;
};

// Batch by batch on this thread.
result<std::uint64_t> feed_one_by_one(key_reader& reader, progress& bar, const answer_functions& functions) {
  const auto answer = functions.make();
  std::uint64_t keys = 0;
  for (;;) {
    auto batch = reader.next();
    if (!batch) return batch.error();
    if (batch->keys.empty()) return keys;
    if (auto worked = functions.work(*batch, reader, *answer); !worked) return worked.error();
    if (auto used = functions.use(*answer); !used) return used.error();
    keys += batch->keys.size();
    bar.update(keys, reader.bytes_read());
  }
}

}  // namespace

result<std::uint64_t> feed_in_order(key_reader& reader, const feeding& how, const answer_functions& functions) {
  progress bar(how.label, reader.bytes_total(), how.show_progress);
  const unsigned wanted = reader.threads() != 0 ? reader.threads() : std::thread::hardware_concurrency();
  const bool is_large = reader.bytes_total() >= 2 * part_list::usual_bytes;
  const auto parts = wanted > 1 && is_large ? reader.parts() : nullptr;
  if (parts == nullptr || parts->size() < 2) return feed_one_by_one(reader, bar, functions);
  in_order answers(reader, parts, static_cast<unsigned>(std::min<std::size_t>(wanted, parts->size())), functions);
  if (!answers.has_threads()) return feed_one_by_one(reader, bar, functions);
  std::uint64_t keys = 0, bytes = 0;
  for (;;) {
    item next = answers.next();
    if (next.failed) return *next.failed;
    if (next.answer == nullptr) break;
    if (auto used = functions.use(*next.answer); !used) return used.error();
    answers.give_back(std::move(next.answer));
    bar.update(keys += next.keys, bytes += next.bytes);
  }
  for (const bad_tally& each : answers.bad()) reader.take_over(each);
  reader.tell_of_bad();
  return keys;
}

}  // namespace seen::cli
