// From a reader to a function, batch by batch, with a progress bar beside it.
#pragma once

#include <cstdint>
#include <string_view>

#include "keys.hpp"
#include "progress.hpp"

namespace seen::cli {

/// Calls use(const key_batch&) -> result<void> for every batch and returns the number of keys; stops at an error.
template <class Use>
result<std::uint64_t> feed(key_reader& reader, std::string_view label, bool show_progress, Use use) {
  progress bar(label, reader.bytes_total(), show_progress);
  std::uint64_t keys = 0;
  for (;;) {
    auto batch = reader.next();
    if (!batch) return batch.error();
    if (batch->keys.empty()) return keys;
    if (auto used = use(*batch); !used) return used.error();
    keys += batch->keys.size();
    bar.update(keys, reader.bytes_read());
  }
}

}  // namespace seen::cli
