// seen build: a filter from keys.
//
//   how many keys?   --capacity            as said
//                    files                 counted by a first pass
//                    a pipe                kept in memory until it ends, then counted
//   or a shape       --bits, --probes, --param: nothing is counted
//
// Nothing is written before the filter is complete, and nothing existing is overwritten without -f.
#include <seen/any_filter.hpp>
#include <seen/registry.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <string>
#include <unistd.h>
#include <vector>

#include "feed.hpp"
#include "key_store.hpp"
#include "numbers.hpp"
#include "options.hpp"
#include "secret_file.hpp"
#include "verb.hpp"
#include "words.hpp"

namespace seen::cli {
namespace {

struct build_options {
  output_options output;
  key_options keys;
  std::vector<std::string> files;
  std::string kind, format, hash, seed, key_file, new_key, metadata;
  std::string capacity, fpr, bits, probes;
  std::vector<std::string> params;
  bool store_key = false;
  bool quiet = false;
};

result<std::vector<named_field>> fields_of(const build_options& o) {
  std::vector<named_field> fields;
  const auto add = [&](const char* option, const std::string& name, const std::string& text) -> result<void> {
    auto value = parse_option(option, text, parse_count);
    if (!value) return value.error();
    fields.push_back({name, *value});
    return {};
  };
  if (!o.bits.empty()) {
    if (auto added = add("--bits", "bits", o.bits); !added) return added.error();
  }
  if (!o.probes.empty()) {
    if (auto added = add("--probes", "probes", o.probes); !added) return added.error();
  }
  for (const std::string& param : o.params) {
    const auto equals = param.find('=');
    if (equals == 0 || equals == std::string::npos) {
      return {errc::invalid_argument, "--param: \"" + param + "\" is not name=value"};
    }
    if (auto added = add("--param", param.substr(0, equals), param.substr(equals + 1)); !added) return added.error();
  }
  if (!fields.empty() && !(o.fpr.empty() && o.capacity.empty())) {
    return {errc::invalid_argument, "give either --capacity and --fpr or the shape (--bits, --probes, --param)"};
  }
  return fields;
}

// Everything but the number of keys.
result<make_options> recipe(const build_options& o) {
  make_options make;
  make.kind = o.kind;
  make.format = o.format;
  auto fields = fields_of(o);
  if (!fields) return fields.error();
  make.fields = std::move(*fields);
  auto fpr = parse_option("--fpr", o.fpr.empty() ? "0.01" : o.fpr, parse_rate);
  if (!fpr) return fpr.error();
  make.asked.fpr = *fpr;
  if (!o.capacity.empty()) {
    auto capacity = parse_option("--capacity", o.capacity, parse_count);
    if (!capacity) return capacity.error();
    make.asked.capacity = *capacity;
  }
  if (!o.seed.empty()) {
    auto seed = parse_option("--seed", o.seed, parse_seed);
    if (!seed) return seed.error();
    make.seed = *seed;
  }
  if (!o.hash.empty()) {
    auto hash = parse_option("--hash", o.hash, hash_id_from);
    if (!hash) return hash.error();
    make.hash = *hash;
  } else if (!o.key_file.empty() || !o.new_key.empty()) {
    return {errc::invalid_argument, "a secret needs a keyed hash: --hash siphash-1-3 or siphash-2-4"};
  }
  if (!o.new_key.empty()) {
    if (::access(o.new_key.c_str(), F_OK) == 0) {
      return {errc::io, o.new_key + ": exists already; a key file is never overwritten"};
    }
    auto fresh = secret::random();
    if (!fresh) return fresh.error();
    make.key = *fresh;
  } else if (!o.key_file.empty()) {
    auto key = read_secret(o.key_file);
    if (!key) return key.error();
    make.key = *key;
  }
  if (o.store_key && !make.key) return {errc::invalid_argument, "--store-key: needs --key-file or --new-key"};
  const bool native = o.format.empty() || o.format == formats()[0].name;
  if (!native && !o.metadata.empty()) {
    return {errc::unsupported, "--metadata: the " + o.format + " format has no place for it"};
  }
  return make;
}

// How many keys there are, and the keys themselves where they cannot be read again.
struct counted {
  std::uint64_t keys = 0;
  std::optional<key_store> kept;
};

result<counted> count(key_reader& reader, bool show_progress) {
  counted all;
  result<std::uint64_t> keys = std::uint64_t{0};
  if (reader.can_rewind()) {
    keys = feed(reader, "counting", show_progress, [](const key_batch&) -> result<void> { return {}; });
    if (auto again = keys ? reader.rewind() : result<void>(); !again) return again.error();
  } else {
    all.kept.emplace();
    keys = feed(reader, "reading", show_progress, [&](const key_batch& batch) -> result<void> {
      all.kept->keep(batch.keys);
      return {};
    });
  }
  if (!keys) return keys.error();
  all.keys = *keys;
  return all;
}

// A filter with all keys of a reader, and how many they were.
struct built {
  any_filter filter;
  std::uint64_t keys;
};

result<built> fill_planned(const make_options& make, key_reader& reader, bool show_progress) {
  auto filter = any_filter::make(make);
  if (!filter) return filter.error();
  auto keys =
      feed(reader, "building", show_progress, [&](const key_batch& batch) { return filter->add_many(batch.keys); });
  if (!keys) return keys.error();
  return built{std::move(*filter), *keys};
}

result<built> fill_counted(make_options make, key_reader& reader, bool show_progress) {
  // A wrong kind, hash or rate should be told before an hour of counting: try the smallest filter first.
  make.asked.capacity = 1;
  if (auto tried = any_filter::make(make); !tried) return tried.error();
  auto all = count(reader, show_progress);
  if (!all) return all.error();
  make.asked.capacity = std::max<std::uint64_t>(1, all->keys);
  if (!all->kept) return fill_planned(make, reader, show_progress);
  auto filter = any_filter::make(make);
  if (!filter) return filter.error();
  auto added = all->kept->replay([&](std::span<const bytes_view> keys) { return filter->add_many(keys); });
  if (!added) return added.error();
  return built{std::move(*filter), all->keys};
}

// A key file must be safe before the filter is there: without it the filter is worthless.
result<void> save_with_key(const build_options& o, const make_options& make, const any_filter& filter) {
  const save_options options{.store_secret = o.store_key};
  if (o.new_key.empty()) return o.output.save(filter, options);
  if (auto written = write_secret(o.new_key, *make.key); !written) return written;
  auto saved = o.output.save(filter, options);
  if (!saved) ::unlink(o.new_key.c_str());
  return saved;
}

result<exit_status> build(const build_options& o) {
  auto format = o.keys.read();
  if (!format) return format.error();
  auto make = recipe(o);
  if (!make) return make.error();
  if (auto writable = o.output.check(); !writable) return writable.error();
  if (!o.new_key.empty() && o.new_key == o.output.path) {
    return {errc::invalid_argument, "--new-key: " + o.new_key + " is the output too"};
  }
  auto reader = key_reader::open(files_or_stdin(o.files), *format);
  if (!reader) return reader.error();

  const bool is_planned = !o.capacity.empty() || !make->fields.empty();
  auto made = is_planned ? fill_planned(*make, *reader, !o.quiet) : fill_counted(*make, *reader, !o.quiet);
  if (!made) return made.error();
  if (!o.metadata.empty()) made->filter.set_metadata(o.metadata);
  if (auto saved = save_with_key(o, *make, made->filter); !saved) return saved.error();

  if (o.quiet) return exit_status::yes;
  const filter_info info = made->filter.info();
  const std::string name = o.output.path == stdin_name ? "standard output" : o.output.path;
  remark(false, fmt::format("{}: {} in a {} filter of {}, rate {}", name, keys_in_words(made->keys), info.kind,
                            human_bytes(info.bytes), short_number(info.fpr_now)));
  if (info.asked.capacity != 0 && made->keys > info.asked.capacity) {
    remark(false, fmt::format("seen: {}: planned for {}; with {} the rate is {} instead of {}", name,
                              keys_in_words(info.asked.capacity), grouped(made->keys), short_number(info.fpr_now),
                              short_number(info.asked.fpr)));
  }
  return exit_status::yes;
}

std::string kind_names() {
  std::string names;
  for (const kind_row& each : kinds()) names += (names.empty() ? "" : ", ") + std::string(each.kind.name);
  return names;
}

}  // namespace

action define_build(CLI::App& app) {
  auto o = std::make_shared<build_options>();
  o->output.define(app);
  app.add_option("files", o->files, "lists of keys, one a line; .gz and .zst too; standard input (-) if there are none")
      ->type_name("FILE");
  app.add_option("-p,--fpr", o->fpr, "false-positive rate: 0.001, 0.1%, 1/1000, 2^-10 (default 0.01)")
      ->type_name("RATE");
  app.add_option("-n,--capacity", o->capacity, "number of keys: 1e9, 1G, 10k (default: they are counted)")
      ->type_name("N");
  app.add_option("--kind", o->kind, fmt::format("kind of filter: {} (default {})", kind_names(), kinds()[0].kind.name))
      ->type_name("KIND");
  app.add_option("--format", o->format, "format of the file (default native; see `seen formats`)")->type_name("NAME");
  app.add_option("--metadata", o->metadata, "a note kept in the file, at most 64 KiB")->type_name("TEXT");
  define_quiet(app, o->quiet);

  constexpr const char* shape = "Shape (instead of --capacity and --fpr)";
  app.add_option("--bits", o->bits, "size in bits")->type_name("N")->group(shape);
  app.add_option("--probes", o->probes, "bits a key sets")->type_name("N")->group(shape);
  app.add_option("--param", o->params, "any other parameter of the kind")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->group(shape);

  constexpr const char* hash = "Hash";
  app.add_option("--hash", o->hash, "hash function by name (default xxh3-64; siphash-1-3 against chosen keys)")
      ->type_name("NAME")
      ->group(hash);
  app.add_option("--seed", o->seed, "seed of the hash")->type_name("N")->group(hash);
  auto* const key = app.add_option("--key-file", o->key_file, "secret of a keyed hash: 16 bytes or 32 hex digits")
                        ->type_name("FILE")
                        ->group(hash);
  app.add_option("--new-key", o->new_key, "make a fresh secret and write it to a new file")
      ->type_name("FILE")
      ->excludes(key)
      ->group(hash);
  app.add_flag("--store-key", o->store_key, "put the secret into the filter file: whoever reads it can forge keys")
      ->group(hash);
  o->keys.define(app);
  app.footer(
      "Examples:\n"
      "  seen build -o users.seen users.txt                          counts the keys, then builds\n"
      "  seen build -o urls.seen -p 2^-10 urls-1.gz urls-2.zst\n"
      "  zcat *.gz | seen build -o all.seen -n 1e9 -                 -n: nothing is kept in memory but the filter\n"
      "  seen build -o ids.seen --field 2 -d , table.csv\n"
      "  seen build -o safe.seen --hash siphash-1-3 --new-key safe.key users.txt");
  return [o] { return build(*o); };
}

}  // namespace seen::cli
