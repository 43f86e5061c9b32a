// Tile after tile of many keys, with the GIL held as little as the keys allow, and Ctrl-C heard.
#pragma once

#include <cstddef>
#include <nanobind/nanobind.h>

#include "batch.hpp"

namespace seen_python {

/// Keys between two looks at a lock, so that a long query does not keep a change waiting for its end.
inline constexpr std::size_t turn_keys = std::size_t{1} << 16;
/// Keys between two looks at signals: Ctrl-C stops a long batch, too.
inline constexpr std::size_t patient_keys = std::size_t{1} << 22;

/// Calls use(tile, index of its first key) for all tiles, without the GIL where the source allows it; `use` never has it.
template <class Use>
void for_each_tile(key_source& keys, std::size_t most, Use use) {
  std::size_t done = 0;
  std::size_t looked = 0;
  const auto check_signals = [&] {
    if (done - looked < patient_keys) return;
    looked = done;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  };
  if (keys.size()) {
    const nb::gil_scoped_release others_run;
    for (tile some = keys.next(most); some.size() != 0; some = keys.next(most)) {
      use(some, done);
      done += some.size();
      if (done - looked < patient_keys) continue;
      const nb::gil_scoped_acquire alone;
      check_signals();
    }
    return;
  }
  for (tile some = keys.next(most); some.size() != 0; some = keys.next(most)) {
    {
      const nb::gil_scoped_release others_run;
      use(some, done);
    }
    done += some.size();
    check_signals();
  }
}

}  // namespace seen_python
