// EXISTS and MEXISTS, the same for every family. A key that is not there holds nothing; nor does one of another type, as RedisBloom has it.
#pragma once

#include <memory>

#include "table/host.hpp"
#include "table/making.hpp"
#include "table/words.hpp"

namespace seen::redis {

template <family Of>
void ask_one(host& by) {
  bool told = false;
  const value* const held = find_to_ask(by, Of, told);
  if (told) return;
  if (held == nullptr) return by.boolean(false);
  by.boolean(held->may_contain(as_item(by.arguments()[2]), held->forgets() ? by.now() : 0));
}

template <family Of>
void ask_many(host& by) {
  bool told = false;
  const value* const held = find_to_ask(by, Of, told);
  if (told) return;
  const auto items = as_items(by.arguments().subspan(2));
  const auto answers = std::make_unique<bool[]>(items.size());
  if (held != nullptr) {
    held->may_contain_many(items, held->forgets() ? by.now() : 0, {answers.get(), items.size()});
  }
  by.array(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) by.boolean(answers[i]);
}

}  // namespace seen::redis
