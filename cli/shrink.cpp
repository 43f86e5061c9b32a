// seen shrink: folds a filter that was built too large down to what its keys need.
#include <fmt/core.h>
#include <memory>

#include "abilities.hpp"
#include "change.hpp"
#include "numbers.hpp"
#include "options.hpp"
#include "outcome.hpp"
#include "verb.hpp"
#include "words.hpp"

namespace seen::cli {
namespace {

struct shrink_options {
  std::string path;
  std::string fpr;
  output_options output;
  filter_options filter;
  outcome_options outcome;
};

result<exit_status> shrink(const shrink_options& o) {
  const bool in_place = o.output.path.empty();
  auto open = o.filter.read();
  if (!open) return open.error();
  if (auto apart = o.outcome.check(o.output.path); !apart) return apart.error();
  if (in_place && o.output.store_secret) return {errc::invalid_argument, "--store-secret: needs --output"};
  if (auto writable =
          in_place ? saving_spares(o.path, o.filter.secrets()) : o.output.check(o.filter.secrets(), {o.path});
      !writable) {
    return writable.error();
  }
  auto locked = locked_file::lock(o.path);
  if (!locked) return locked.error();
  auto filter = locked->open(*open, "shrink", o.outcome.quiet);
  if (!filter) return filter.error();
  if (auto able = require(filter->kind(), &plan_row::can_shrink, "be folded"); !able) {
    return about(o.path, able.error());
  }
  const filter_info before = filter->info();
  double fpr = before.target.fpr;
  if (!o.fpr.empty()) {
    auto parsed = parse_option("--fpr", o.fpr, parse_rate);
    if (!parsed) return parsed.error();
    fpr = *parsed;
  }
  if (fpr == 0) return {errc::invalid_argument, o.path + ": does not say which rate was asked for: give --fpr"};
  if (auto shrunk = filter->shrink_to_fpr(fpr); !shrunk) return about(o.path, shrunk.error());
  if (auto saved = in_place ? locked->save(*filter, o.outcome.quiet) : o.output.save(*filter, o.outcome.quiet); !saved)
    return saved.error();
  const filter_info after = filter->info();
  auto told =
      o.outcome.tell(json::object()
                         .add("file", in_place ? o.path : o.output.name())
                         .add("bytes_before", before.bytes)
                         .add("fpr_before", before.fpr_now),
                     after,
                     fmt::format("{}: {} became {}, rate {} became {}", o.path, human_bytes(before.bytes),
                                 human_bytes(after.bytes), short_number(before.fpr_now), short_number(after.fpr_now)));
  if (!told) return told.error();
  if (!in_place) o.output.tell_of_secret(*filter, o.filter, o.outcome.quiet);
  return exit_status::yes;
}

}  // namespace

action define_shrink(option_list& app) {
  auto o = std::make_shared<shrink_options>();
  app.value({"filter", "the filter file; replaced in one step unless -o names another", "FILE", need::required},
            o->path);
  app.value({"-p,--fpr", "the rate to keep (default: the one it was made for)", "RATE"}, o->fpr);
  o->output.define(app, need::optional);
  o->output.define_store_secret(app);
  o->filter.define(app);
  o->outcome.define(app);
  app.footer(
      "Works by a divisor of the size: where none keeps the rate, nothing changes and the message says so.\n"
      "\n"
      "Example:\n"
      "  seen shrink all.seen -p 1%\n"
      "\n"
      "To build without knowing the number of keys: seen build --at-most.");
  return [o] { return shrink(*o); };
}

}  // namespace seen::cli
