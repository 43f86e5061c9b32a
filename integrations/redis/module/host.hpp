// redis-server and valkey-server as a host of the table of commands.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "module/api.hpp"
#include "table/command.hpp"
#include "table/host.hpp"

namespace seen::redis {

/// One call of a command.
class module_host final : public host {
 public:
  module_host(context* ctx, std::span<server_string*> arguments);
  module_host(const module_host&) = delete;
  module_host& operator=(const module_host&) = delete;
  ~module_host() override;

  [[nodiscard]] std::span<const std::string_view> arguments() const override { return words_; }

  [[nodiscard]] found find(std::size_t key, family of, access how) override;
  value& put(std::size_t key, value made) override;

  void integer(std::int64_t number) override;
  void boolean(bool yes) override;
  void real(double number) override;
  void status(std::string_view word) override;
  void bytes(std::string_view some) override;
  void null() override;
  void error(std::string_view words) override;
  void array(std::size_t elements) override;
  void map(std::size_t pairs) override;
  [[nodiscard]] bool is_resp3() const override;

  void replicate() override;
  void replicate(std::span<const std::string_view> words) override;
  void notify(const char* event, std::size_t key) override;

  [[nodiscard]] const settings& configured() const override;
  [[nodiscard]] std::uint64_t now() const override;
  [[nodiscard]] bool repeats() const override;
  [[nodiscard]] bool affords(std::uint64_t bytes) const override;
  void warn(std::string_view line) override;

 private:
  struct opened {
    std::size_t argument;
    key_handle* handle;
  };
  key_handle* open(std::size_t key, access how);

  context* ctx_;
  std::span<server_string*> strings_;
  // Most commands have few words and one key: no memory is asked for them.
  std::array<std::string_view, 8> few_words_;
  std::vector<std::string_view> many_words_;
  std::span<const std::string_view> words_;
  opened first_{0, nullptr};
  std::vector<opened> others_;
};

/// Hands a value to the server, which gives it back to its type's `release`; null stays null.
[[nodiscard]] value* hold(std::unique_ptr<value> made) noexcept;
/// How many it has.
[[nodiscard]] std::uint64_t values_held(family of) noexcept;

/// The types of keys, and which of them holds a family.
[[nodiscard]] bool create_types(context* ctx);
[[nodiscard]] data_type* type_of(family of) noexcept;
[[nodiscard]] bool is_ours(const data_type* type) noexcept;

}  // namespace seen::redis
