// From a reader to a function, batch by batch, with a progress bar beside it.
#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>

#include "keys.hpp"
#include "progress.hpp"

namespace seen::cli {

/// Calls use(const key_batch&) -> result<void> for every batch and returns the number of keys; stops at an error. A use that
/// returns result<bool> stops it by false, too.
template <class Use>
result<std::uint64_t> feed(key_reader& reader, std::string_view label, bool show_progress, Use use) {
  progress bar(label, reader.bytes_total(), show_progress);
  std::uint64_t keys = 0;
  for (;;) {
    auto batch = reader.next();
    if (!batch) return batch.error();
    if (batch->keys.empty()) return keys;
    auto used = use(*batch);
    if (!used) return used.error();
    keys += batch->keys.size();
    if constexpr (!std::same_as<decltype(used), result<void>>) {
      if (!*used) return keys;
    }
    bar.update(keys, reader.bytes_read());
  }
}

}  // namespace seen::cli
