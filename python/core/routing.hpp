// What seenfilter.redis needs of the core: keys shared out among the parts of a filter, as words of Redis's protocol.
//
//   keys ──► digest × parts >> 64 ──► a part ──► "$5\r\nalice\r\n" behind the part's others ──► a piece, once it has enough of them
//
// A piece is what one command carries: so many keys of one part, and for questions the places of their answers. Pieces come as
// parts fill, so many parts do not make small commands; what is left comes at the end.
#pragma once

#include <nanobind/nanobind.h>

namespace seen_python {

/// Gives the module Router and place.
void define_routing(nanobind::module_& m);

}  // namespace seen_python
