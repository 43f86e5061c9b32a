#include "serve/stored_filter.hpp"

#include <cerrno>
#include <cmath>
#include <unistd.h>

namespace seen::redis {
namespace {

constexpr std::uint64_t small_file = std::uint64_t{16} << 20;  // is checked whole whatever is done with it

result<void> check(const any_filter& filter, const storing& how) {
  const bool is_checked = how.checks || filter.origin().file_bytes <= small_file;
  if (!filter.is_mapped() || !filter.origin().sealed || !is_checked) return {};
  return filter.verify();
}

// The lock of `seen add`. Nothing where the file may not be written.
result<std::unique_ptr<file>> lock_of(const std::string& path) {
  for (;;) {
    auto opened = file::open(path, file::mode::write_shared);
    if (!opened) {
      const int why = opened.error().system;
      if (why == EACCES || why == EROFS || why == EPERM) return std::unique_ptr<file>();
      return opened.error();
    }
    if (auto locked = opened->lock(); !locked) return locked.error();
    if (opened->is_in_place()) return std::make_unique<file>(std::move(*opened));
  }
}

struct opened_filter {
  any_filter filter;
  stored_filter::form form;
  std::unique_ptr<file> lock = {};
};

result<opened_filter> open_to_ask(const std::string& path, const open_options& open) {
  auto mapped = any_filter::map(path, open);
  if (!mapped && mapped.error().code == errc::unsupported) mapped = any_filter::load(path, open);
  if (!mapped) return mapped.error();
  return opened_filter{std::move(*mapped), stored_filter::form::mapped_to_ask};
}

result<opened_filter> open_filter(const std::string& path, const storing& how) {
  const open_options& open = how.open;
  if (how.only_asks) return open_to_ask(path, open);
  // A map to add takes the lock itself.
  bool may_write = false;
  {
    auto lock = lock_of(path);
    if (!lock) return lock.error();
    may_write = *lock != nullptr;
  }
  if (!may_write) return open_to_ask(path, open);
  auto mapped = any_filter::map_writable(path, open);
  if (mapped) return opened_filter{std::move(*mapped), stored_filter::form::mapped_to_add};
  if (mapped.error().code != errc::unsupported) return mapped.error();
  if (auto native = any_filter::map(path, open)) {
    if (usual_family(*native) == family::lookup) {
      return opened_filter{std::move(*native), stored_filter::form::mapped_to_ask};
    }
  }
  auto lock = lock_of(path);
  if (!lock) return lock.error();
  auto loaded = any_filter::load(path, open);
  if (!loaded) return loaded.error();
  const bool changes = *lock != nullptr && loaded->check_change("add").has_value();
  return opened_filter{std::move(*loaded),
                       changes ? stored_filter::form::in_memory : stored_filter::form::mapped_to_ask, std::move(*lock)};
}

}  // namespace

result<std::shared_ptr<stored_filter>> stored_filter::open(const std::string& path, const storing& asked,
                                                           std::optional<family> of) {
  storing how = asked;
  how.open.recover = true;  // bits only go up in a file that is added to, so an unsealed one has lost no key
  for (;;) {
    const file_identity before = file_identity::of(path);
    auto opened = open_filter(path, how);
    if (!opened) return opened.error();
    if (auto sound = check(opened->filter, how); !sound) return sound.error();
    auto about = opened->filter.is_mapped() ? any_filter::glance(path, how.open) : opened->filter.info();
    if (!about || std::isnan(about->keys)) about = opened->filter.info();
    if (auto fine = check_clock(path, *about); !fine) return fine.error();
    if (!file_identity::of(path).is_same_file(before)) continue;  // replaced meanwhile: who knows which this is
    const family commands = of.value_or(usual_family(opened->filter));
    std::shared_ptr<stored_filter> made(
        new stored_filter(path, file_value(std::move(opened->filter), *about, commands), opened->form));
    made->opened_ = before;
    made->lock_ = std::move(opened->lock);
    return made;
  }
}

result<std::shared_ptr<stored_filter>> stored_filter::create(const std::string& path, value held) {
  std::shared_ptr<stored_filter> made(new stored_filter(path, std::move(held), form::in_memory));
  if (made->has_no_file_) return made;
  if (auto saved = made->save(made->held_.filter()); !saved) return saved.error();
  return made;
}

any_filter& stored_filter::filter() noexcept {
  return const_cast<any_filter&>(held_.filter());
}

stored_filter::place stored_filter::look() const noexcept {
  if (has_no_file_) return place::same;
  const file_identity now = file_identity::of(path_);
  if (now.is_missing()) return place::missing;
  // A map shows what is written to its file; what was loaded does not.
  const auto is = [&](const file_identity& known) { return shows_writes_ ? now.is_same_file(known) : now == known; };
  const std::lock_guard hold(identity_);
  return is(opened_) || is(saving_) ? place::same : place::replaced;
}

result<void> stored_filter::sync() {
  if (form_ != form::mapped_to_add) return {};
  dirty_.store(false);
  auto synced = filter().sync();
  if (!synced) changed();
  return synced;
}

result<void> stored_filter::save(const any_filter& copied) {
  const std::lock_guard one_at_a_time(saves_);
  if (is_removed_) return {};
  auto to = replacement::begin(path_, true);
  if (!to) return to.error();
  const auto put = [&]() -> result<void> {
    save_options options;
    options.store_secret = copied.origin().secret_stored;
    const auto write = [&](bytes_view bytes) { return to->write(bytes); };
    if (auto written = copied.write_to(write, options); !written) return written;
    const auto target = end_of_links(path_);
    if (!target) return target.error();
    // Who replaced or removed the file meanwhile wins.
    if (!opened_.is_missing() && file_identity::of(path_) != opened_) {
      return {errc::io, path_ + ": was replaced or removed while it was saved"};
    }
    // From here on the path may lead to either.
    expect(file_identity::of(hidden_beside(*target, ".seen-tmp")));
    return to->commit();
  };
  if (auto saved = put(); !saved) {
    expect({});
    changed();
    return saved;
  }
  const std::lock_guard hold(identity_);
  opened_ = saving_;
  saving_ = {};
  saved_lock_ = std::make_unique<replacement>(std::move(*to));  // its file is open and locked for as long
  lock_.reset();
  return {};
}

result<void> stored_filter::remove() {
  if (has_no_file_) return {};
  const std::lock_guard after_a_save(saves_);
  if (::unlink(path_.c_str()) != 0 && errno != ENOENT) return system_error(path_, "unlink", errno);
  is_removed_ = true;
  return {};
}

void stored_filter::expect(const file_identity& next) noexcept {
  const std::lock_guard hold(identity_);
  saving_ = next;
}

result<void> stored_filter::close() {
  if (form_ == form::mapped_to_add) return filter().seal();
  if (form_ != form::in_memory || has_no_file_ || !is_dirty()) return {};
  dirty_.store(false);
  return save(held_.filter());
}

}  // namespace seen::redis
