// A case as a row of its table, as a filter, and as answers.
#include <seen/registry.hpp>

#include <algorithm>
#include <cstring>
#include <memory>

#include "kit.hpp"

namespace seen::kit {

const row case_columns{"name",   "format", "variant", "kind",         "capacity", "fpr",       "fields",
                       "hash",   "seed",   "secret",  "store_secret", "metadata", "alignment", "keys",
                       "probes", "file",   "yes",     "answers",      "first",    "health"};

namespace {

std::vector<named_field> parse_fields(const std::string& text) {
  std::vector<named_field> fields;
  if (text.empty()) return fields;
  for (const std::string& each : split(text, ',')) {
    const auto parts = split(each, '=');
    if (parts.size() != 2) fail("no field: " + each);
    // Reals are known by their names: there are three.
    const bool is_real = parts[0] == "fpr" || parts[0] == "growth" || parts[0] == "tightening";
    if (is_real) {
      fields.push_back(named_field::real(parts[0], std::stod(parts[1])));
    } else {
      fields.push_back({parts[0], std::stoull(parts[1])});
    }
  }
  return fields;
}

std::string unless_zero(std::uint64_t x) {
  return x == 0 ? "" : std::to_string(x);
}

bytes_view bytes_in(std::string_view text) {
  return std::as_bytes(std::span(text));
}

result<any_filter> make_filter(const test_case& c) {
  make_options options{.kind = c.kind, .target = c.target, .shape = c.fields, .seed = c.seed, .secret = c.key};
  if (!c.hash.empty()) {
    const auto id = hash_id_from(c.hash);
    if (!id) return id.error();
    options.hash = *id;
  }
  if (c.format != "native") {
    options.format = c.format;
    options.variant = c.variant;
  }
  const auto& keys = keys_of(c.keys).views;
  const auto kind = find_kind(c.kind);
  if (c.format == "native" && kind && (*kind)->build != nullptr) {
    if (options.target.fpr == 0) options.target.fpr = 0.01;  // unused: such a case gives the fingerprint's bits
    auto building = any_builder::make(options);
    if (!building) return building.error();
    if (auto added = building->add_many(keys); !added) return added.error();
    return std::move(*building).finish();
  }
  auto made = any_filter::make(options);
  if (!made) return made.error();
  for (const bytes_view key : keys) {
    if (auto added = made->add(key); !added) return added.error();
  }
  return made;
}

}  // namespace

std::string fields_text(const std::vector<named_field>& fields) {
  std::string text;
  for (const named_field& each : fields) {
    text += (text.empty() ? "" : ",") + each.name + "=";
    text += each.type == field_type::real ? real_text(each.as_real()) : std::to_string(each.value);
  }
  return text;
}

test_case test_case::parse(const std::map<std::string, std::string>& cells) {
  const auto number = [&](const char* name) { return cells.at(name).empty() ? 0 : std::stoull(cells.at(name)); };
  test_case c{.name = cells.at("name"),
              .format = cells.at("format"),
              .variant = cells.at("variant"),
              .kind = cells.at("kind"),
              .target = {number("capacity"), cells.at("fpr").empty() ? 0 : std::stod(cells.at("fpr"))},
              .fields = parse_fields(cells.at("fields")),
              .hash = cells.at("hash"),
              .seed = number("seed"),
              .store_secret = !cells.at("store_secret").empty(),
              .alignment = cells.at("alignment").empty() ? 64 : std::stoul(cells.at("alignment")),
              .keys = key_set::parse(cells.at("keys")),
              .probes = key_set::parse(cells.at("probes"))};
  if (!cells.at("secret").empty()) {
    const byte_vector bytes = from_hex(cells.at("secret"));
    c.key.emplace();
    if (bytes.size() != c.key->bytes.size()) fail(c.name + ": a secret has 16 bytes");
    std::copy(bytes.begin(), bytes.end(), c.key->bytes.begin());
  }
  const byte_vector metadata = from_hex(cells.at("metadata"));
  c.metadata.assign(reinterpret_cast<const char*>(metadata.data()), metadata.size());
  return c;
}

row test_case::cells() const {
  return {name,
          format,
          variant,
          kind,
          unless_zero(target.capacity),
          target.fpr == 0 ? "" : real_text(target.fpr),
          fields_text(fields),
          hash,
          unless_zero(seed),
          key ? in_hex(bytes_view(key->bytes)) : "",
          store_secret ? "1" : "",
          in_hex(bytes_in(metadata)),
          alignment == 64 ? "" : std::to_string(alignment),
          keys.text(),
          probes.text()};
}

open_options test_case::how_to_open() const {
  open_options options{.secret = key, .format = format};
  if (format != "native") options.hash = hash;
  if (format == "cassandra") options.variant = variant;  // its files do not tell which they are
  return options;
}

std::uint64_t test_case::remembered() const {
  if (kind != "windowed-bloom") return keys.count;
  std::uint64_t window = target.capacity;
  for (const named_field& field : fields) {
    if (field.name == "window") window = field.value;
    if (field.name == "period" && field.value != 0) return keys.count;  // no time passes in a case
  }
  return std::min(window, keys.count);
}

result<byte_vector> make_file(const test_case& c) {
  auto made = make_filter(c);
  if (!made) return made.error();
  return made->to_bytes({.store_secret = c.store_secret, .alignment = c.alignment, .metadata = c.metadata});
}

byte_vector answers_of(const any_filter& f, const key_set& probes) {
  const auto& keys = keys_of(probes).views;
  std::vector<std::uint64_t> words((keys.size() + 63) / 64);
  (void)f.may_contain_bitmap(keys, words);
  byte_vector bits(8 * words.size());
  for (std::size_t i = 0; i < words.size(); ++i) store_le(bits.data() + 8 * i, words[i]);
  bits.resize((keys.size() + 7) / 8);
  return bits;
}

}  // namespace seen::kit
