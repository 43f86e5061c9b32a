#include "module/configs.hpp"

#include <seen/base/text.hpp>

#include <array>
#include <string>
#include <string_view>

#include "table/words.hpp"

namespace seen::redis {
namespace {

settings now;
// What CONFIG GET is given: it stays the module's.
server_string* error_rate_text = nullptr;
server_string* folder_text = nullptr;

void keep_text(server_string*& place, std::string_view text) {
  if (place != nullptr) api::FreeString(nullptr, place);
  place = api::CreateString(nullptr, text.data(), text.size());
}

std::string_view text_of(const server_string* from) {
  std::size_t size = 0;
  const char* const text = api::StringPtrLen(from, &size);
  return {text, size};
}

const setting_row& row_of(void* about) {
  return *static_cast<const setting_row*>(about);
}
long long get_number(const char*, void* about) {
  return now.*(row_of(about).place);
}
int set_number(const char*, long long number, void* about, server_string**) {
  now.*(row_of(about).place) = number;
  return ok;
}

bool set_rate(std::string_view text) {
  const auto rate = real_number(text);
  if (!rate || !(*rate > 0 && *rate < 1)) return false;
  now.bf_error_rate = *rate;
  keep_text(error_rate_text, text);
  return true;
}
server_string* get_rate_text(const char*, void*) {
  return error_rate_text;
}
int set_rate_text(const char*, server_string* text, void*, server_string** wrong) {
  constexpr std::string_view why = "the error rate must be in the range (0.000000, 1.000000)";
  if (set_rate(text_of(text))) return ok;
  *wrong = api::CreateString(nullptr, why.data(), why.size());
  return failed;
}

server_string* get_folder_text(const char*, void*) {
  return folder_text;
}
int set_folder_text(const char*, server_string* text, void*, server_string**) {
  now.lookup_folder = text_of(text);
  keep_text(folder_text, text_of(text));
  return ok;
}

// Words of the time before CONFIG SET knew modules.
struct old_word {
  std::string_view name, now;
};
constexpr std::array<old_word, 3> old_words{
    {{"ERROR_RATE", error_rate_name}, {"INITIAL_SIZE", "bf-initial-size"}, {"CF_MAX_EXPANSIONS", "cf-max-expansions"}}};

bool set_from_word(std::string_view name, std::string_view text) {
  for (const old_word& each : old_words) {
    if (same_word(name, each.name)) name = each.now;
  }
  if (same_word(name, error_rate_name)) return set_rate(text);
  if (same_word(name, lookup_folder_name)) return now.lookup_folder = text, true;
  for (const setting_row& row : setting_rows) {
    if (!same_word(name, row.name)) continue;
    const auto number = whole_number(text);
    if (!number || *number < row.least || *number > row.most) return false;
    now.*(row.place) = *number;
    return true;
  }
  return false;
}

}  // namespace

settings& server_settings() noexcept {
  return now;
}

bool configure(context* ctx, std::span<server_string*> words) {
  set_rate(exactly(now.bf_error_rate));
  for (std::size_t i = 0; i < words.size(); i += 2) {
    const std::string name(text_of(words[i]));
    if (i + 1 < words.size() && set_from_word(name, text_of(words[i + 1]))) continue;
    api::Log(ctx, "warning", "seen: %s is no setting, or has no such value", name.c_str());
    return false;
  }
  constexpr unsigned usual_flags = 0;
  constexpr unsigned set_at_start = 1;
  keep_text(folder_text, now.lookup_folder);
  const std::string rate(text_of(error_rate_text)), folder = now.lookup_folder;
  bool done = api::RegisterStringConfig(ctx, error_rate_name, rate.c_str(), usual_flags, get_rate_text, set_rate_text,
                                        nullptr, nullptr) == ok;
  done = done && api::RegisterStringConfig(ctx, lookup_folder_name, folder.c_str(), set_at_start, get_folder_text,
                                           set_folder_text, nullptr, nullptr) == ok;
  for (const setting_row& row : setting_rows) {
    done = done && api::RegisterNumericConfig(ctx, row.name, now.*(row.place), usual_flags, row.least, row.most,
                                              get_number, set_number, nullptr, const_cast<setting_row*>(&row)) == ok;
  }
  return done && api::LoadConfigs(ctx) == ok;
}

}  // namespace seen::redis
