// The path is followed by recursion, which goes no deeper than the path has steps; everything beside it is stepped over.
#include "records/json_path.hpp"

#include <algorithm>
#include <charconv>

#include "records/cleaning.hpp"
#include "records/json_scanner.hpp"

namespace seen::cli {
namespace {

constexpr std::size_t most_steps = 100;

// One document on the way to its keys.
class json_search {
 public:
  json_search(bytes_view document, const std::vector<json_path::step>& steps, std::vector<bytes_view>& keys,
              scratch& room)
      : scanner_(document), steps_(steps), keys_(keys), room_(room) {}

  // False: wrong, or no key at the end of the path.
  bool run(std::string& problem) {
    if (!follow(0) || !(scanner_.ends() || scanner_.fail("the document goes on"))) {
      problem = scanner_.problem();
      return false;
    }
    if (why_ == nullptr) return true;
    const std::string place = missed_ == 0 ? "." : steps_[missed_ - 1].path;
    problem = why_ == no_such ? why_ + place : place + why_;
    return false;
  }

 private:
  static constexpr const char* no_such = "has no ";

  // What is missing, or no key: named by the steps that lead there. The first one counts.
  void miss(std::size_t steps, const char* why) noexcept {
    if (why_ != nullptr) return;
    why_ = why;
    missed_ = steps;
  }

  // A value to which the first `done` steps lead.
  bool follow(std::size_t done) {
    if (done == steps_.size()) return take(done);
    const json_path::step& next = steps_[done];
    const char opening = next.what == json_path::step::into::member ? '{' : '[';
    if (scanner_.peek() != opening) {
      miss(done + 1, no_such);
      return scanner_.skip();
    }
    scanner_.accept(opening);
    return opening == '{' ? in_object(next, done) : in_array(next, done);
  }

  bool in_object(const json_path::step& next, std::size_t done) {
    const std::size_t keys_before = keys_.size();
    const char* const why_before = why_;
    const std::size_t missed_before = missed_;
    bool found = false;
    bool more = !scanner_.accept('}');
    while (more) {
      json_scanner::string name;
      if (!scanner_.read_name(name)) return false;
      if (as_text(json_text(name, room_)) != next.name) {
        if (!scanner_.skip()) return false;
      } else {
        keys_.resize(keys_before);  // of members with one name the last counts
        why_ = why_before;
        missed_ = missed_before;
        found = true;
        if (!follow(done + 1)) return false;
      }
      if (!scanner_.read_comma('}', more)) return false;
    }
    if (!found) miss(done + 1, no_such);
    return true;
  }

  bool in_array(const json_path::step& next, std::size_t done) {
    const bool every = next.what == json_path::step::into::every_item;
    bool found = false;
    bool more = !scanner_.accept(']');
    for (std::size_t i = 0; more; ++i) {
      const bool wanted = every || i == next.index;
      found |= wanted;
      if (!(wanted ? follow(done + 1) : scanner_.skip())) return false;
      if (!scanner_.read_comma(']', more)) return false;
    }
    if (!found) miss(done + 1, no_such);
    return true;
  }

  // The value is a key, or should be one.
  bool take(std::size_t done) {
    const char c = scanner_.peek();
    if (c == '{' || c == '[') {
      miss(done, c == '{' ? " is an object, not a key" : " is an array, not a key");
      return scanner_.skip();
    }
    if (c == '"') {
      json_scanner::string text;
      if (!scanner_.read_string(text)) return false;
      keys_.push_back(json_text(text, room_));
      return true;
    }
    bytes_view word;
    if (!scanner_.read_word(word)) return false;
    if (c == 'n') {
      miss(done, " is null");
    } else {
      keys_.push_back(word);
    }
    return true;
  }

  json_scanner scanner_;
  const std::vector<json_path::step>& steps_;
  std::vector<bytes_view>& keys_;
  scratch& room_;
  const char* why_ = nullptr;
  std::size_t missed_ = 0;
};

error no_json_path(const std::string& text, std::size_t at) {
  return {errc::invalid_argument, '"' + text + "\": character " + std::to_string(at + 1) +
                                      ": not a path like .id, .user.id, .tags[0], .items[].id or .\"odd name\""};
}

}  // namespace

result<json_path> json_path::parse(const std::string& text) {
  json_path made;
  const auto add = [&](step next, std::size_t end) {
    next.path = text.substr(0, end);
    made.steps_.push_back(std::move(next));
  };
  std::size_t at = 0;
  if (text.empty() || (text[0] != '.' && text[0] != '[')) return no_json_path(text, 0);
  if (text == ".") return made;
  while (at != text.size()) {
    if (made.steps_.size() == most_steps) return {errc::invalid_argument, "has more than 100 steps"};
    if (text[at] == '.' && at == 0 && text.size() > 1 && text[1] == '[') ++at;  // .[0], as jq has it
    if (text[at] == '.') {
      ++at;
      if (at != text.size() && text[at] == '"') {
        json_scanner quoted(std::as_bytes(std::span(text)).subspan(at));
        json_scanner::string name;
        if (!quoted.read_string(name)) return no_json_path(text, at);
        scratch room;
        at += name.written.size() + 2;
        add({step::into::member, std::string(as_text(json_text(name, room)))}, at);
        continue;
      }
      const std::size_t end = std::min(text.find_first_of(".[\"", at), text.size());
      if (end == at) return no_json_path(text, at);
      add({step::into::member, text.substr(at, end - at)}, end);
      at = end;
    } else if (text[at] == '[') {
      const std::size_t end = text.find(']', at);
      if (end == text.npos) return no_json_path(text, at);
      step next{end == at + 1 ? step::into::every_item : step::into::item};
      if (next.what == step::into::item) {
        const auto [stopped, failed] = std::from_chars(text.data() + at + 1, text.data() + end, next.index);
        if (failed != std::errc() || stopped != text.data() + end) return no_json_path(text, at + 1);
      }
      add(std::move(next), end + 1);
      at = end + 1;
    } else {
      return no_json_path(text, at);
    }
  }
  return made;
}

bool json_path::several() const noexcept {
  return std::any_of(steps_.begin(), steps_.end(),
                     [](const step& each) { return each.what == step::into::every_item; });
}

bool json_path::find(bytes_view document, std::vector<bytes_view>& keys, scratch& room, std::string& problem) const {
  return json_search(document, steps_, keys, room).run(problem);
}

}  // namespace seen::cli
