// Where errors come from outside: a system call that failed, and what was thrown.
#include <seen/base/result.hpp>

#include <exception>
#include <new>
#include <stdexcept>
#include <system_error>

namespace seen::inline v1 {
namespace {

error made(errc code, const char* detail, int system = 0, std::uint64_t bytes = 0) noexcept {
  try {
    return {code, detail, system, bytes};
  } catch (const std::bad_alloc&) {
    return {errc::no_memory, "out of memory"};  // short enough to need none
  }
}

}  // namespace

error system_error(std::string_view where, std::string_view call, int reason) {
  std::string detail(where);
  detail.append(": ").append(call).append(": ").append(std::generic_category().message(reason));
  return {errc::io, std::move(detail), reason};
}

void throw_bad_result(const error& e) {
  throw bad_result(e);
}

void throw_error(const error& e) {
  switch (e.code) {
    case errc::too_large:
      throw std::length_error(e.detail);
    case errc::no_memory:
      throw out_of_memory(e.detail, e.bytes);
    default:
      throw std::invalid_argument(e.detail);
  }
}

// The one ladder of catch clauses: it undoes throw_error.
error current_error() noexcept {
  try {
    throw;
  } catch (const bad_result& e) {
    return made(e.error().code, e.what(), e.error().system, e.error().bytes);
  } catch (const out_of_memory& e) {
    return made(errc::no_memory, e.what(), 0, e.bytes());
  } catch (const std::bad_alloc&) {
    return made(errc::no_memory, "out of memory");
  } catch (const std::length_error& e) {
    return made(errc::too_large, e.what());
  } catch (const std::invalid_argument& e) {
    return made(errc::invalid_argument, e.what());
  } catch (const std::exception& e) {
    return made(errc::unexpected, e.what());
  } catch (...) {
    return made(errc::unexpected, "unexpected");
  }
}

}  // namespace seen::inline v1
