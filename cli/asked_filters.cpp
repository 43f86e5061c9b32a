#include "asked_filters.hpp"

#include "column_type.hpp"
#include "confirm.hpp"
#include "filter_file.hpp"
#include "remarks.hpp"
#include "window_time.hpp"

namespace seen::cli {

result<asked_filters> asked_filters::open(const std::vector<std::string>& paths, const filter_options& how,
                                          std::optional<std::uint64_t> now, together decide, bool quiet) {
  auto open = how.read();
  if (!open) return open.error();
  asked_filters made(paths, decide);
  for (const std::string& path : paths) {
    auto opened = open_filter(path, *open, how.how());
    if (!opened) return opened.error();
    if (auto told = tell_time(path, *opened, now); !told) return told.error();
    made.filters_.push_back(std::move(*opened));
    const accepted_keys& here = made.filters_.back().origin().accepts;
    const written_number written = keys_written_in(path, made.filters_.back(), *open);
    if (made.filters_.size() == 1) made.written_ = written;
    if (here != made.accepts() || written != made.written_) {
      return {errc::incompatible, path + ": a key is " + here.in_words() + " here" + written.in_words() + ", and " +
                                      made.accepts().in_words() + made.written_.in_words() + " in " + made.name(0) +
                                      ": ask them one by one"};
    }
  }
  for (std::size_t f = 0; f < made.size(); ++f) {
    warn_if_assumed(quiet, made.name(f), made.filter(f));
    warn_if_too_full(quiet, made.name(f), made.filter(f), *open);
  }
  return made;
}

result<void> asked_filters::answer(std::size_t filter, std::span<const bytes_view> keys, std::span<bool> said) {
  filters_[filter].may_contain_many(keys, said);
  if (exact_ != nullptr) exact_->keep_held(keys, said);
  return {};
}

}  // namespace seen::cli
