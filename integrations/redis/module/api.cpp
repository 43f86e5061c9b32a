#include "module/api.hpp"

namespace seen::redis {

const char* fetch_api(context* ctx) noexcept {
  using getter = int (*)(const char*, void*);
  const auto get = *reinterpret_cast<getter*>(ctx);
#define SEEN_REDIS_FETCH(name, returns, arguments) \
  if (get("RedisModule_" #name, &api::name) != ok || api::name == nullptr) return #name;
  SEEN_REDIS_NEEDED(SEEN_REDIS_FETCH)
#undef SEEN_REDIS_FETCH
#define SEEN_REDIS_FETCH(name, returns, arguments) (void)get("RedisModule_" #name, &api::name);
  SEEN_REDIS_OPTIONAL(SEEN_REDIS_FETCH)
#undef SEEN_REDIS_FETCH
  return nullptr;
}

}  // namespace seen::redis
