#include "module/host.hpp"

#include <string>

#include "module/configs.hpp"
#include "module/memory.hpp"

namespace seen::redis {

module_host::module_host(context* ctx, std::span<server_string*> arguments) : ctx_(ctx), strings_(arguments) {
  if (arguments.size() > few_words_.size()) many_words_.resize(arguments.size());
  std::string_view* const words = many_words_.empty() ? few_words_.data() : many_words_.data();
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    std::size_t size = 0;
    const char* const text = api::StringPtrLen(arguments[i], &size);
    words[i] = {text, size};
  }
  words_ = {words, arguments.size()};
  take_memory_for(this);
}

module_host::~module_host() {
  take_memory_for(nullptr);
  if (first_.handle != nullptr) api::CloseKey(first_.handle);
  for (const opened& each : others_) api::CloseKey(each.handle);
}

// --- keys

key_handle* module_host::open(std::size_t key, access how) {
  if (first_.handle != nullptr && first_.argument == key) return first_.handle;
  for (const opened& each : others_) {
    if (each.argument == key) return each.handle;
  }
  if (first_.handle != nullptr) others_.reserve(others_.size() + 1);
  const int mode = how == access::write ? read_mode | write_mode : read_mode;
  key_handle* const handle = api::OpenKey(ctx_, strings_[key], mode);
  if (handle == nullptr) return handle;
  if (first_.handle == nullptr) {
    first_ = {key, handle};
  } else {
    others_.push_back({key, handle});
  }
  return handle;
}

found module_host::find(std::size_t key, family of, access how) {
  key_handle* const handle = open(key, how);
  const int type = handle == nullptr ? empty_key : api::KeyType(handle);
  if (type == empty_key) return {};
  if (type == module_key && is_ours(api::ModuleTypeGetType(handle))) {
    auto* const held = static_cast<value*>(api::ModuleTypeGetValue(handle));
    if (held->of() == of) return {found::state::there, held};
  }
  return {found::state::other_type, nullptr};
}

value& module_host::put(std::size_t key, value made) {
  const family of = made.of();
  key_handle* const handle = open(key, access::write);
  value* const held = hold(std::make_unique<value>(std::move(made)));
  // It fails on a key that is not open for writing alone.
  (void)api::ModuleTypeSetValue(handle, type_of(of), held);
  return *held;
}

// --- replies

void module_host::integer(std::int64_t number) {
  api::ReplyWithLongLong(ctx_, number);
}
void module_host::boolean(bool yes) {
  api::ReplyWithBool(ctx_, yes ? 1 : 0);
}
void module_host::real(double number) {
  api::ReplyWithDouble(ctx_, number);
}
void module_host::status(std::string_view word) {
  api::ReplyWithSimpleString(ctx_, std::string(word).c_str());
}
void module_host::bytes(std::string_view some) {
  api::ReplyWithStringBuffer(ctx_, some.data(), some.size());
}
void module_host::null() {
  api::ReplyWithNull(ctx_);
}
void module_host::error(std::string_view words) {
  std::string line(words);
  for (char& c : line) {
    if (c == '\r' || c == '\n') c = ' ';
  }
  api::ReplyWithError(ctx_, line.c_str());
}
void module_host::array(std::size_t elements) {
  api::ReplyWithArray(ctx_, static_cast<long>(elements));
}
void module_host::map(std::size_t pairs) {
  api::ReplyWithMap(ctx_, static_cast<long>(pairs));
}
bool module_host::is_resp3() const {
  return (api::GetContextFlags(ctx_) & flag_resp3) != 0;
}

// --- what else happens

void module_host::replicate() {
  api::ReplicateVerbatim(ctx_);
}
void module_host::replicate(std::span<const std::string_view> words) {
  std::vector<server_string*> all;
  all.reserve(words.size());
  for (const std::string_view word : words.subspan(1)) {
    all.push_back(api::CreateString(ctx_, word.data(), word.size()));
  }
  const std::string name(words[0]);
  api::Replicate(ctx_, name.c_str(), "v", all.data(), all.size());
  for (server_string* const each : all) api::FreeString(ctx_, each);
}
void module_host::notify(const char* event, std::size_t key) {
  api::NotifyKeyspaceEvent(ctx_, event_of_modules, event, strings_[key]);
}

// --- the server

const settings& module_host::configured() const {
  return server_settings();
}
std::uint64_t module_host::now() const {
  return static_cast<std::uint64_t>(api::Milliseconds());
}
bool module_host::repeats() const {
  return (api::GetContextFlags(ctx_) & (flag_replicated | flag_loading)) != 0;
}
bool module_host::affords(std::uint64_t bytes) const {
  constexpr std::uint64_t small = 1 << 20;  // not worth the question: deny-oom has been asked
  if (bytes < small) return true;
  server_info* const memory = api::GetServerInfo(ctx_, "memory");
  int wrong = 0;
  const std::uint64_t used = api::ServerInfoGetFieldUnsigned(memory, "used_memory", &wrong),
                      most = api::ServerInfoGetFieldUnsigned(memory, "maxmemory", &wrong);
  api::FreeServerInfo(ctx_, memory);
  return most == 0 || (used < most && bytes <= most - used);
}
void module_host::warn(std::string_view line) {
  api::Log(ctx_, "warning", "%.*s", static_cast<int>(line.size()), line.data());
}

}  // namespace seen::redis
