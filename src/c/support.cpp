// Errors that are handed out, also when there is no memory for one, and options of C in the library's own words.
#include "support.hpp"

#include <seen/base/version.hpp>
#include <seen/registry.hpp>

struct seen_error {
  seen_status status;
  std::string message;
  int system = 0;  // errno
};

namespace seen::c {
namespace {

// The error handed out when there is no memory for another; never freed, never changed.
seen_error& lost_error() noexcept {
  static seen_error lost{SEEN_NO_MEMORY, "out of memory"};  // short enough to need none itself
  return lost;
}

// A foreign format's usual hash is not chosen by anybody, and may have a name that no other filter knows.
result<std::optional<hash_id>> chosen_hash(const std::string& name, const std::string& format) {
  if (name.empty()) return std::optional<hash_id>();
  if (!format.empty() && format != formats()[0]->name) {
    auto row = find_format(format);
    if (!row) return row.error();
    if (!(*row)->hashes.empty() && name == (*row)->hashes.front()) return std::optional<hash_id>();
  }
  auto id = hash_id_from(name);
  if (!id) return id.error();
  return std::optional(*id);
}

}  // namespace

seen_status fail(seen_status status, std::string_view message, seen_error** out, int system) noexcept {
  if (out == nullptr) return status;
  try {
    *out = new seen_error{status, std::string(message), system};
  } catch (...) {
    *out = &lost_error();
  }
  return (*out)->status;
}

result<make_options> as_make_options(const seen_make_options* given) {
  auto known = known_part(given, "seen_make_options");
  if (!known) return known.error();
  const bool has_target = known->capacity != 0;
  make_options options{
      .kind = text_of(known->kind),
      .target = {.capacity = known->capacity, .fpr = has_target && known->fpr == 0 ? usual_fpr : known->fpr},
      .seed = known->seed,
      .secret = secret_of(known->secret),
      .format = text_of(known->format),
      .variant = text_of(known->variant),
      .key_type = text_of(known->key_type),
      .foldable = known->foldable};
  if (known->shape == nullptr && known->shape_count != 0) {
    return {errc::invalid_argument, "shape: NULL in place of " + std::to_string(known->shape_count)};
  }
  for (std::size_t i = 0; i < known->shape_count; ++i) {
    const seen_field& field = known->shape[i];
    if (field.name == nullptr) return {errc::invalid_argument, "shape: number " + std::to_string(i) + " has no name"};
    options.shape.push_back(field.is_real ? named_field::real(field.name, field.real)
                                          : named_field{field.name, field.integer});
  }
  auto hash = chosen_hash(text_of(known->hash), options.format);
  if (!hash) return hash.error();
  options.hash = *hash;
  return options;
}

result<open_options> as_open_options(const seen_open_options* given) {
  auto known = known_part(given, "seen_open_options");
  if (!known) return known.error();
  open_options options{.secret = secret_of(known->secret),
                       .recover = known->recover,
                       .format = text_of(known->format),
                       .hash = text_of(known->hash),
                       .key_type = text_of(known->key_type),
                       .part = text_of(known->part),
                       .variant = text_of(known->variant)};
  if (known->max_bytes != 0) options.max_bytes = known->max_bytes;
  return options;
}

result<save_options> as_save_options(const seen_save_options* given) {
  auto known = known_part(given, "seen_save_options");
  if (!known) return known.error();
  if (known->store_secret && known->drop_secret) {
    return {errc::invalid_argument, "save: the secret is to be stored, and to be dropped"};
  }
  save_options options{.overwrite = !known->keep_existing};
  if (known->store_secret || known->drop_secret) options.store_secret = known->store_secret;
  if (known->alignment != 0) options.alignment = known->alignment;
  const auto metadata = bytes_of(known->metadata, known->metadata_length);
  if (!metadata) return no_bytes("metadata", known->metadata_length);
  if (known->metadata != nullptr) {
    options.metadata.emplace(reinterpret_cast<const char*>(metadata->data()), metadata->size());
  }
  return options;
}

}  // namespace seen::c

using namespace seen::c;

seen_status seen_error_status(const seen_error* error) {
  return error == nullptr ? static_cast<seen_status>(SEEN_OK) : error->status;
}

const char* seen_error_message(const seen_error* error) {
  return error == nullptr ? "" : error->message.c_str();
}

int seen_error_errno(const seen_error* error) {
  return error == nullptr ? 0 : error->system;
}

void seen_error_free(seen_error* error) {
  if (error != &lost_error()) delete error;
}

const char* seen_status_name(seen_status status) {
  if (status == SEEN_OK) return "ok";
  const auto code = code_of(status);
  return code ? name_of(*code) : "unknown";
}

const char* seen_version(void) {
  return seen::version;
}
