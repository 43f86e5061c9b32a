// Static filters: how one is built, with progress and cancellation. (Its keys come through keys.cpp.)
#include "support.hpp"

using namespace seen::c;
using seen::any_builder;
using seen::build_options;
using seen::errc;
using seen::result;

namespace {

result<build_options> as_build_options(const seen_build_options* given) {
  auto known = known_part(given, "seen_build_options");
  if (!known) return known.error();
  build_options options{.threads = known->threads,
                        .memory = known->memory,
                        .spill_directory = text_of(known->spill_directory),
                        .checkpoint = text_of(known->checkpoint)};
  if (known->progress != nullptr) {
    options.progress = [call = known->progress, context = known->context](const seen::build_progress& now) {
      const bool sorting = now.now == seen::build_progress::stage::sorting;
      const seen_build_progress shown{sizeof(seen_build_progress),
                                      static_cast<std::uint32_t>(sorting ? SEEN_BUILD_SORTING : SEEN_BUILD_SOLVING),
                                      now.done, now.total, now.resumed};
      return call(context, &shown);
    };
  }
  return options;
}

}  // namespace

seen_status seen_builder_make(const seen_make_options* options, const seen_build_options* how, seen_builder** out,
                              seen_error** error) {
  return guarded_make(out, error, [&]() -> result<any_builder> {
    auto wanted = as_make_options(options);
    if (!wanted) return wanted.error();
    if (wanted->target.fpr == 0) wanted->target.fpr = usual_fpr;
    auto chosen = as_build_options(how);
    if (!chosen) return chosen.error();
    return any_builder::make(*wanted, *chosen);
  });
}

uint64_t seen_builder_size(const seen_builder* builder) {
  return builder->builder ? builder->builder->size() : 0;
}

seen_status seen_builder_finish(seen_builder* builder, seen_filter** out, seen_error** error) {
  return guarded_make(out, error, [&]() -> result<seen::any_filter> {
    if (auto there = require(builder); !there) return there.error();
    if (!builder->builder) return {errc::invalid_argument, "finish: the builder is finished"};
    any_builder last = std::move(*builder->builder);
    builder->builder.reset();
    return std::move(last).finish();
  });
}

void seen_builder_free(seen_builder* builder) {
  delete builder;
}
