// The mutex of filters that many threads share. A header of its own: <mutex> is a large one, and only chains of links
// (engines/link_chain.hpp) have a lock.
#pragma once

#include <mutex>

namespace seen::inline v1 {

/// std::mutex, by a name that storage/access.hpp can declare without its header.
class standard_mutex : public std::mutex {};

}  // namespace seen::inline v1
