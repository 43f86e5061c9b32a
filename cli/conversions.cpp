// A specimen is made anew for each attempt: a conversion takes the filter it is given.
#include "conversions.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace seen::cli {
namespace {

// Enough for every format's own formula.
constexpr target small{.capacity = 1000, .fpr = 0.01};

const format_row& native_row() {
  return *formats()[0];
}

// The first of a format's hashes needs no option, and may have a name that options do not know.
bool is_usual_hash(const specimen& like) {
  const auto format = find_format(like.format);
  return like.hash.empty() || (format && !(*format)->hashes.empty() && (*format)->hashes.front() == like.hash);
}

make_options options_for(const specimen& like) {
  make_options options{.kind = like.format == native_row().name ? like.kind : std::string(), .target = small};
  if (like.format != native_row().name) options.format = like.format;
  options.variant = like.variant;
  if (!is_usual_hash(like)) {
    if (const auto id = hash_id_from(like.hash)) options.hash = *id;
  }
  return options;
}

// Static filters are built. Of foreign formats the number of keys is no target.
result<any_filter> build_of_one(make_options options) {
  options.target.capacity = 0;
  auto builder = any_builder::make(options);
  if (!builder) return builder.error();
  if (auto added = builder->add(std::uint64_t{1}); !added) return added.error();
  return std::move(*builder).finish();
}

bool is_built(const specimen& like) {
  const auto format = find_format(like.format);
  if (!format) return false;
  if (*format != &native_row()) return (*format)->make == nullptr;
  const auto kind = find_kind(like.kind);
  return kind && (*kind)->build != nullptr;
}

// Adds a specimen of whatever kind comes of it, if this release makes it.
void add_if_made(std::vector<specimen>& all, specimen like) {
  auto made = make_small(like);
  if (!made) return;
  if (!is_usual_hash(like) && name_of(made->info().hash.id) != like.hash) return;  // one that options do not name
  like.kind = std::string(made->kind());
  all.push_back(std::move(like));
}

// Every hash that has a name.
template <class Use>
void for_each_hash_name(Use use) {
  constexpr std::uint16_t most = 64;
  for (std::uint16_t i = 0; i < most; ++i) {
    const std::string_view name = name_of(static_cast<hash_id>(i));
    if (hash_id_from(name)) use(std::string(name));
  }
}

void add_native(std::vector<specimen>& all) {
  for (const kind_row& kind : kinds()) {
    for_each_hash_name([&](const std::string& hash) {
      add_if_made(all, {std::string(native_row().name), std::string(kind.kind.name), "", hash});
    });
  }
}

void add_foreign(std::vector<specimen>& all, const format_row& format) {
  const auto each_hash = [&](const std::string& variant) {
    if (format.hashes.empty()) add_if_made(all, {std::string(format.name), "", variant, ""});
    for (const std::string_view hash : format.hashes) {
      add_if_made(all, {std::string(format.name), "", variant, std::string(hash)});
    }
  };
  if (format.variants.empty()) each_hash("");
  for (const std::string_view variant : format.variants) each_hash(std::string(variant));
}

}  // namespace

result<any_filter> make_small(const specimen& like) {
  make_options options = options_for(like);
  if (is_built(like)) return build_of_one(options);
  auto made = any_filter::make(options);
  if (!made && !like.hash.empty()) {  // perhaps the hash has a secret
    options.secret = secret{};
    made = any_filter::make(options);
  }
  if (made) static_cast<void>(made->add(std::uint64_t{1}).has_value());  // an empty one will do
  return made;
}

std::vector<specimen> specimens(std::string_view format) {
  std::vector<specimen> all;
  if (format.empty() || format == native_row().name) add_native(all);
  for (const format_row* const each : formats()) {
    if (each != &native_row() && (format.empty() || format == each->name)) add_foreign(all, *each);
  }
  return all;
}

std::vector<conversion_row> conversions_of(const std::vector<specimen>& some, std::string_view to) {
  std::vector<conversion_row> rows;
  for (const specimen& from : some) {
    conversion_row row{from, {}};
    const auto attempt = [&](const format_row& format, std::string_view variant) {
      written_as target{std::string(format.name), std::string(variant)};
      if (target == written_as{from.format, from.variant}) return;
      auto made = make_small(from);
      if (!made || !std::move(*made).convert(format.name, variant)) return;
      row.to.push_back(std::move(target));
    };
    for (const format_row* const format : formats()) {
      if (!to.empty() && to != format->name) continue;
      if (format->variants.empty()) attempt(*format, "");
      for (const std::string_view variant : format->variants) attempt(*format, variant);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<std::string> operations_of(const specimen& like) {
  std::vector<std::string> can;
  const auto attempt = [&](const char* name, auto what) {
    auto made = make_small(like);
    if (!made) return;
    const auto done = what(*made);
    if (done || done.error().code != errc::unsupported) can.emplace_back(name);
  };
  attempt("add", [](any_filter& f) { return f.add(std::uint64_t{2}); });
  attempt("remove", [](any_filter& f) { return f.remove(std::uint64_t{1}); });
  attempt("count", [](any_filter& f) { return f.count(std::uint64_t{1}); });
  attempt("merge", [&](any_filter& f) {
    auto other = make_small(like);
    return other ? f.merge(*other) : result<void>(other.error());
  });
  attempt("intersect", [&](any_filter& f) {
    auto other = make_small(like);
    return other ? f.intersect(*other) : result<void>(other.error());
  });
  attempt("shrink", [](any_filter& f) { return f.shrink_to_fpr(0.5); });
  attempt("forget", [](any_filter& f) { return f.advance(1); });
  return can;
}

}  // namespace seen::cli
