// A recipe is read in steps: which kind or format, which fields of its shape, how many keys, which hash. The last step tries
// it out, so that a mistake is told before any key is read.
#include "recipe.hpp"

#include <seen/base/names.hpp>
#include <seen/base/text.hpp>

#include <algorithm>
#include <fmt/core.h>
#include <unistd.h>

#include "abilities.hpp"
#include "numbers.hpp"
#include "options.hpp"
#include "secret_file.hpp"

namespace seen::cli {
namespace {

bool is_real(const kind_row& row, const std::string& name) {
  const auto at = std::find(row.field_names.begin(), row.field_names.end(), name);
  return at != row.field_names.end() &&
         row.type_of_field(static_cast<std::size_t>(at - row.field_names.begin())) == field_type::real;
}

constexpr const char* period = "period";  // of kinds that forget by time

// The value of a field, as the kind wants it; a foreign format's as it is written. The registry refuses a name that is
// not there.
result<named_field> field_of(const kind_row* row, const std::string& name, const std::string& text) {
  auto whole = name == period ? parse_duration(text) : parse_count(text);
  if (row != nullptr ? is_real(*row, name) : !whole) {
    auto value = parse_real(text);
    if (!value) return value.error();
    return named_field::real(name, *value);
  }
  if (!whole) return whole.error();
  return named_field{name, *whole};
}

result<const kind_variant*> variant_of(const kind_row& row, const std::string& name) {
  std::vector<std::string_view> known;
  for (const kind_variant& each : row.variants) {
    if (is_same_name(each.name, name)) return &each;
    known.emplace_back(each.name);
  }
  const std::string choices = known.empty() ? "it offers no choice" : "there are " + listed(known);
  return {errc::invalid_argument, fmt::format("--variant: {} has no variant {}; {}{}", row.kind.name, name, choices,
                                              did_you_mean(name, known))};
}

// A field that the kind does not have, with those it has and the kinds that have it.
result<void> check_field(const char* option, const kind_row& row, const std::string& name) {
  const auto has = [&](const kind_row& kind) {
    return std::find(kind.field_names.begin(), kind.field_names.end(), name) != kind.field_names.end();
  };
  if (has(row)) return {};
  std::string able;
  for (const kind_row& each : kinds()) {
    if (has(each)) append_name(able, each.kind.name);
  }
  return {errc::invalid_argument,
          fmt::format("{}: {} has no field {}; it has {}{}", option, row.kind.name, name, listed(row.field_names),
                      able.empty() ? "" : "; kinds that have it: " + able)};
}

// All fields that a kind has, or a size of a foreign format, which has fields of its own.
bool is_whole_shape(const recipe& made) {
  const auto& fields = made.make.shape;
  if (made.kind != nullptr) return fields.size() >= made.kind->field_names.size();
  return std::any_of(fields.begin(), fields.end(), [](const named_field& each) { return each.name == "bits"; });
}

}  // namespace

void recipe_options::define(option_list& app) {
  app.value({"-p,--fpr", "false-positive rate: 0.001, 0.1%, 1/1000, 2^-10 (default 0.01)", "RATE"}, fpr);
  app.value({"-n,--capacity", "number of keys: 1e9, 1G, 10k (default: counted)", "N"}, capacity);
  app.value({"--at-most", "the most keys there may be: made for them, then folded to what the keys need", "N"},
            at_most);
  app.never_both("--at-most", "--capacity");
  app.value(
      {"--kind", fmt::format("kind of filter (default {}; `seen formats` lists them)", kinds()[0].kind.name), "KIND"},
      kind);
  app.value({"--format", "format of the file (default native; see `seen formats`)", "FORMAT"}, format);

  option_list group =
      app.in_group("Shape (all fields of a kind: nothing is planned; some, or beside -n or -p: wishes, if it can)");
  group.value({"--bits", "size in bits", "N"}, bits);
  group.value({"--probes", "bits set per key", "N"}, probes);
  group.value({"--bits-per-fingerprint", "of a kind that stores fingerprints", "N"}, fingerprint_bits);
  group.value(
      {"--variant",
       "of a kind or format that offers a choice (`seen plan`, `seen formats --json`): compact, fast, json", "NAME"},
      variant);
  group.value(
      {"--window", "how long a key is remembered, in seconds or as 90s, 1h, 7d; short for --shape period=", "TIME"},
      window);
  group.values({"--shape", "any field of the shape (see `seen formats --json`)", "FIELD=VALUE"}, shape);
}

void recipe_options::define_hash(option_list& app) {
  app.value({"--hash", "hash function by name (default: xxh3-fold)", "HASH"}, hash);
  app.value({"--key-type", "what the keys of a foreign format are: bytes, utf16, long, …", "NAME"}, key_type);
  app.value({"--seed", "seed of the hash", "N"}, seed);
  app.value({"--secret-file", "secret of a keyed hash: 16 bytes or 32 hex digits", "FILE"}, secret_file);
  app.value({"--new-secret", "make a fresh secret and write it to a new file", "FILE"}, new_secret);
  app.never_both("--new-secret", "--secret-file");
}

bool recipe_options::is_foreign() const {
  return !format.empty() && format != formats()[0]->name;
}

result<std::vector<named_field>> recipe_options::fields(const kind_row* row) const {
  std::vector<named_field> fields;
  const auto add = [&](const char* option, const std::string& name, const std::string& text) -> result<void> {
    const auto same = [&](const named_field& each) { return each.name == name; };
    if (std::any_of(fields.begin(), fields.end(), same)) {
      return {errc::invalid_argument, std::string(option) + ": " + name + " is given twice"};
    }
    if (row != nullptr) {
      if (auto known = check_field(option, *row, name); !known) return known;
    }
    auto field = parse_option(option, text, [&](const std::string& value) { return field_of(row, name, value); });
    if (!field) return field.error();
    fields.push_back(std::move(*field));
    return {};
  };
  if (auto added = bits.empty() ? result<void>() : add("--bits", "bits", bits); !added) return added.error();
  if (auto added = probes.empty() ? result<void>() : add("--probes", "probes", probes); !added) return added.error();
  if (!fingerprint_bits.empty()) {
    auto added = add("--bits-per-fingerprint", "fingerprint-bits", fingerprint_bits);
    if (!added) return added.error();
  }
  if (!window.empty()) {
    const auto time = parse_duration(window);
    if (time && *time == 0) return {errc::invalid_argument, "--window: 0 remembers nothing"};
    if (auto added = add("--window", period, window); !added) return added.error();
  }
  if (!variant.empty() && row != nullptr) {
    auto chosen = variant_of(*row, variant);
    if (!chosen) return chosen.error();
    if (auto added = add("--variant", std::string((*chosen)->field), std::to_string((*chosen)->value)); !added) {
      return added.error();
    }
  }
  for (const std::string& each : shape) {
    const auto equals = each.find('=');
    if (equals == 0 || equals == std::string::npos) {
      return {errc::invalid_argument, "--shape: \"" + each + "\" is not FIELD=VALUE"};
    }
    if (auto added = add("--shape", each.substr(0, equals), each.substr(equals + 1)); !added) return added.error();
  }
  return fields;
}

result<recipe> recipe_options::choose() const {
  recipe made;
  made.make.kind = kind;
  if (kind.empty() && !window.empty()) {
    const auto forgets = [](const kind_row& each) { return kind_can(each.kind.name, &plan_row::can_forget); };
    const auto first = std::find_if(kinds().begin(), kinds().end(), forgets);
    if (first != kinds().end()) made.make.kind = first->kind.name;
  }
  made.make.format = format;
  if (is_foreign()) {
    auto row = find_format(format);
    if (!row) return row.error();
    made.foreign = *row;
    made.make.variant = variant;
    made.make.key_type = key_type;
    return made;
  }
  const std::string name = made.make.kind.empty() ? std::string(kinds()[0].kind.name) : made.make.kind;
  auto of_kind = find_kind(name);
  if (!of_kind) return of_kind.error();
  made.kind = *of_kind;
  if (!key_type.empty()) return {errc::unsupported, "--key-type: native files know keys of bytes only"};
  return made;
}

// Its keys are counted as they come.
result<void> recipe_options::check_static(const recipe& made) const {
  if (!fpr.empty() && !fingerprint_bits.empty()) {
    return {errc::invalid_argument, "--fpr: the rate follows from --bits-per-fingerprint; leave one of them out"};
  }
  if (capacity.empty() && at_most.empty()) return {};
  return {errc::invalid_argument, std::string(capacity.empty() ? "--at-most" : "--capacity") + ": a " + made.name() +
                                      " filter is built for the keys that come; leave it out"};
}

result<void> recipe_options::read_size(recipe& made) const {
  auto rate = parse_option("--fpr", fpr.empty() ? "0.01" : fpr, parse_rate);
  if (!rate) return rate.error();
  made.make.target.fpr = *rate;
  if (capacity.empty() && at_most.empty()) {
    if (fpr.empty() && is_whole_shape(made)) made.size = size_from::shape;
    return {};
  }
  const bool exactly = at_most.empty();
  const char* const option = exactly ? "--capacity" : "--at-most";
  auto number = parse_option(option, exactly ? capacity : at_most, parse_count);
  if (!number) return number.error();
  if (*number == 0) {
    return {errc::invalid_argument, std::string(option) + ": capacity 0 is not a number of keys from 1 up"};
  }
  made.make.target.capacity = *number;
  made.size = exactly ? size_from::plan : size_from::limit;
  return exactly ? result<void>() : fold_later(made);
}

// The filter is made for the most keys there may be.
result<void> recipe_options::fold_later(recipe& made) const {
  if (is_foreign()) return {errc::unsupported, "--at-most: filters of the " + format + " format do not fold"};
  if (auto able = require(made.name(), &plan_row::can_shrink, "be folded"); !able) {
    return able.error().prefixed("--at-most: ");
  }
  made.make.foldable = true;
  return {};
}

result<void> recipe_options::read_hash(make_options& make, const format_row* foreign) const {
  if (!seed.empty()) {
    auto number = parse_option("--seed", seed, parse_seed);
    if (!number) return number.error();
    make.seed = *number;
  }
  const bool is_usual = foreign != nullptr && !foreign->hashes.empty() && hash == foreign->hashes.front();
  if (!hash.empty() && !is_usual) {
    auto named = parse_option("--hash", hash, hash_id_from);
    if (!named) return named.error();
    make.hash = *named;
  } else if (!secret_file.empty() || !new_secret.empty()) {
    return {errc::invalid_argument, "a secret needs a keyed hash: --hash siphash-1-3 or siphash-2-4"};
  }
  if (!new_secret.empty()) {
    if (::access(new_secret.c_str(), F_OK) == 0) {
      return {errc::io, new_secret + ": exists already; a secret file is never overwritten"};
    }
    auto fresh = secret::random();
    if (!fresh) return fresh.error();
    make.secret = *fresh;
  } else if (!secret_file.empty()) {
    auto given = read_secret(secret_file);
    if (!given) return given.error();
    make.secret = *given;
  }
  return {};
}

namespace {

// Anything refused whatever keys come is told before they are read: by a plan, or by the smallest filter of a foreign format,
// which also tells what its keys are.
result<void> try_out(recipe& made) {
  make_options trial = made.make;
  if (made.size == size_from::count) trial.target.capacity = trial_capacity(trial);
  if (made.size == size_from::shape) trial.target = {};
  if (made.kind != nullptr) {
    if (made.size != size_from::count) return {};
    auto planned = made.kind->check(trial);
    // Refused without the wishes too: then the message is about a number of keys that nobody gave.
    if (!planned && !made.kind->plan(trial.target)) {
      return planned.error().prefixed("tried before the keys are counted: ");
    }
    return planned;
  }
  if (made.is_static()) {
    auto plan = made.foreign->build(made.make);
    if (!plan) return plan.error();
    made.accepts = plan->accepts;
    return {};
  }
  auto tried = any_filter::make(trial);
  if (!tried) return tried.error();
  made.accepts = tried->origin().accepts;
  return {};
}

}  // namespace

std::uint64_t trial_capacity(const make_options& make) {
  return make.shape.empty() && make.format.empty() ? 1 : 1000;
}

result<recipe> recipe_options::read() const {
  auto made = choose();
  if (!made) return made.error();
  auto named = fields(made->kind);
  if (!named) return named.error();
  made->make.shape = std::move(*named);
  if (made->is_static()) {
    if (auto fine = check_static(*made); !fine) return fine.error();
  }
  if (auto sized = read_size(*made); !sized) return sized.error();
  if (auto hashed = read_hash(made->make, made->foreign); !hashed) return hashed.error();
  if (auto tried = try_out(*made); !tried) return tried.error();
  return made;
}

}  // namespace seen::cli
