// The module interface of Redis and Valkey, without its header: what this module uses of it.
//
//   RedisModule_OnLoad(ctx)   ctx ─► { int (*get_api)(const char* name, void* out); … }   every function is fetched by its name
//
// The interface is C and stable: a function keeps its arguments, a structure is told its version. Functions that servers of 2022
// (Redis 7.0) do not have are null there and are asked before they are used; a missing one of the others refuses the load.
#pragma once

#include <cstddef>
#include <cstdint>

namespace seen::redis {

struct context;  // RedisModuleCtx, and the other things of the server, known by their addresses
struct key_handle;
struct server_string;
struct stream;  // RedisModuleIO
struct data_type;
struct info_context;
struct defrag_context;
struct digest_context;
struct server_info;
struct command_handle;

inline constexpr int ok = 0, failed = 1, api_version = 1;

// Of OpenKey, KeyType, GetContextFlags and options.
inline constexpr int read_mode = 1 << 0, write_mode = 1 << 1;
inline constexpr int empty_key = 0, module_key = 6;
inline constexpr int flag_replicated = 1 << 12, flag_loading = 1 << 13, flag_resp3 = 1 << 22;
inline constexpr int option_handles_io_errors = 1 << 0;
inline constexpr int event_of_modules = 1 << 13;  // of the keyspace; "d" in notify-keyspace-events

/// What a module says of a type of its own; version 4, of Redis 7.0.
struct type_methods {
  std::uint64_t version = 4;
  void* (*load)(stream*, int encoding) = nullptr;
  void (*save)(stream*, void* held) = nullptr;
  void (*rewrite)(stream*, server_string* key, void* held) = nullptr;
  std::size_t (*memory)(const void* held) = nullptr;
  void (*digest)(digest_context*, void* held) = nullptr;
  void (*release)(void* held) = nullptr;
  int (*load_aux)(stream*, int, int) = nullptr;
  void (*save_aux)(stream*, int) = nullptr;
  int aux_triggers = 0;
  std::size_t (*free_effort)(server_string* key, const void* held) = nullptr;
  void (*unlink)(server_string* key, const void* held) = nullptr;
  void* (*copy)(server_string* from, server_string* to, const void* held) = nullptr;
  int (*defrag)(defrag_context*, server_string* key, void** held) = nullptr;
  void* second_forms[4] = {};  // of memory, free_effort, unlink and copy, with the key
};

// name, what it returns, arguments
#define SEEN_REDIS_NEEDED(X)                                                                                   \
  X(SetModuleAttribs, void, (context*, const char* name, int version, int api))                                \
  X(CreateCommand, int,                                                                                        \
    (context*, const char* name, int (*)(context*, server_string**, int), const char*, int, int, int))         \
  X(CreateDataType, data_type*, (context*, const char* name, int encoding, type_methods*))                     \
  X(SetModuleOptions, void, (context*, int options))                                                           \
  X(Log, void, (context*, const char* level, const char* format, ...))                                         \
  X(OpenKey, key_handle*, (context*, server_string*, int mode))                                                \
  X(CloseKey, void, (key_handle*))                                                                             \
  X(KeyType, int, (key_handle*))                                                                               \
  X(ModuleTypeGetType, data_type*, (key_handle*))                                                              \
  X(ModuleTypeGetValue, void*, (key_handle*))                                                                  \
  X(ModuleTypeSetValue, int, (key_handle*, data_type*, void*))                                                 \
  X(StringPtrLen, const char*, (const server_string*, std::size_t*))                                           \
  X(CreateString, server_string*, (context*, const char*, std::size_t))                                        \
  X(FreeString, void, (context*, server_string*))                                                              \
  X(ReplyWithLongLong, int, (context*, long long))                                                             \
  X(ReplyWithBool, int, (context*, int))                                                                       \
  X(ReplyWithDouble, int, (context*, double))                                                                  \
  X(ReplyWithSimpleString, int, (context*, const char*))                                                       \
  X(ReplyWithStringBuffer, int, (context*, const char*, std::size_t))                                          \
  X(ReplyWithNull, int, (context*))                                                                            \
  X(ReplyWithError, int, (context*, const char*))                                                              \
  X(ReplyWithArray, int, (context*, long))                                                                     \
  X(ReplyWithMap, int, (context*, long))                                                                       \
  X(ReplicateVerbatim, int, (context*))                                                                        \
  X(Replicate, int, (context*, const char* command, const char* format, ...))                                  \
  X(NotifyKeyspaceEvent, int, (context*, int kind, const char* event, server_string* key))                     \
  X(GetContextFlags, int, (context*))                                                                          \
  X(Milliseconds, long long, ())                                                                               \
  X(GetServerInfo, server_info*, (context*, const char* section))                                              \
  X(FreeServerInfo, void, (context*, server_info*))                                                            \
  X(ServerInfoGetFieldUnsigned, unsigned long long, (server_info*, const char* field, int* wrong))             \
  X(Calloc, void*, (std::size_t count, std::size_t bytes))                                                     \
  X(TryAlloc, void*, (std::size_t))                                                                            \
  X(Free, void, (void*))                                                                                       \
  X(MallocSize, std::size_t, (void*))                                                                          \
  X(DefragAlloc, void*, (defrag_context*, void*))                                                              \
  X(LoadUnsigned, std::uint64_t, (stream*))                                                                    \
  X(LoadDouble, double, (stream*))                                                                             \
  X(LoadStringBuffer, char*, (stream*, std::size_t*))                                                          \
  X(SaveUnsigned, void, (stream*, std::uint64_t))                                                              \
  X(SaveStringBuffer, void, (stream*, const char*, std::size_t))                                               \
  X(IsIOError, int, (stream*))                                                                                 \
  X(LogIOError, void, (stream*, const char* level, const char* format, ...))                                   \
  X(EmitAOF, void, (stream*, const char* command, const char* format, ...))                                    \
  X(DigestAddStringBuffer, void, (digest_context*, const char*, std::size_t))                                  \
  X(DigestEndSequence, void, (digest_context*))                                                                \
  X(RegisterInfoFunc, int, (context*, void (*)(info_context*, int for_crash)))                                 \
  X(InfoAddSection, int, (info_context*, const char* name))                                                    \
  X(InfoAddFieldULongLong, int, (info_context*, const char* name, unsigned long long))                         \
  X(RegisterNumericConfig, int,                                                                                \
    (context*, const char* name, long long usual, unsigned flags, long long least, long long most,             \
     long long (*get)(const char*, void*), int (*set)(const char*, long long, void*, server_string** wrong),   \
     int (*apply)(context*, void*, server_string**), void* about))                                             \
  X(RegisterStringConfig, int,                                                                                 \
    (context*, const char* name, const char* usual, unsigned flags, server_string* (*get)(const char*, void*), \
     int (*set)(const char*, server_string*, void*, server_string** wrong),                                    \
     int (*apply)(context*, void*, server_string**), void* about))                                             \
  X(LoadConfigs, int, (context*))

// The same, of functions that came later: null where the server does not have them.
#define SEEN_REDIS_OPTIONAL(X)                                 \
  X(TryCalloc, void*, (std::size_t count, std::size_t bytes))  \
  X(GetCommand, command_handle*, (context*, const char* name)) \
  X(AddACLCategory, int, (context*, const char* name))         \
  X(SetCommandACLCategories, int, (command_handle*, const char* categories))

#define SEEN_REDIS_DECLARE(name, returns, arguments) inline returns(*name) arguments = nullptr;
/// The functions, by their names without "RedisModule_".
namespace api {
SEEN_REDIS_NEEDED(SEEN_REDIS_DECLARE)
SEEN_REDIS_OPTIONAL(SEEN_REDIS_DECLARE)
}  // namespace api
#undef SEEN_REDIS_DECLARE

/// Fetches them; the name of one that the server does not have, or null.
[[nodiscard]] const char* fetch_api(context* ctx) noexcept;

}  // namespace seen::redis
