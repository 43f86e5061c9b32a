// The one file that knows the parser.
#include "command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>

#include "output.hpp"

namespace seen::cli {
namespace {

// Whether its name begins with a dash: an argument's does not.
bool is_option(const option& each) {
  return each.names[0] == '-';
}

CLI::Option* described(CLI::Option* made, const option& each, const char* heading) {
  if (heading != nullptr) made->group(heading);
  return made->required(each.needed == need::required);
}

CLI::Option* with_value(CLI::Option* made, const option& each, const char* heading) {
  static const CLI::Validator not_empty(
      [](const std::string& text) { return std::string(text.empty() ? "is empty" : ""); }, "");
  if (is_option(each)) made->check(not_empty);
  return described(made->type_name(each.value), each, heading);
}

action printing(std::string text) {
  return [text = std::move(text)]() -> result<exit_status> {
    if (auto printed = print(text); !printed) return printed.error();
    return exit_status::yes;
  };
}

// The parser would say that an argument was not expected; this says what was.
result<void> check_verb(const program& about, int argc, char** argv) {
  const std::string see = std::string(" (see ") + about.name + " --help)";
  if (argc < 2) return {errc::invalid_argument, "which verb?" + see};
  const std::string_view first = argv[1];
  const auto is_first = [&](const verb& each) { return first == each.name; };
  if (first.starts_with('-') || std::any_of(about.verbs.begin(), about.verbs.end(), is_first)) return {};
  return {errc::invalid_argument, "no verb is called \"" + std::string(first) + '"' + see};
}

// A verb, its parser and what it does.
struct defined_verb {
  CLI::App* parser;
  action run;
};

std::vector<defined_verb> define_verbs(CLI::App& app, std::span<const verb> verbs) {
  std::vector<defined_verb> defined;
  for (const verb& each : verbs) {
    CLI::App* const parser = app.add_subcommand(each.name, each.summary)->group("Verbs");
    option_list options(*parser);
    defined.push_back({parser, each.define(options)});
  }
  return defined;
}

}  // namespace

void option_list::flag(const option& each, bool& to) {
  described(parser_->add_flag(each.names, to, each.help), each, heading_);
}

void option_list::value(const option& each, std::string& to) {
  with_value(parser_->add_option(each.names, to, each.help), each, heading_);
}

void option_list::values(const option& each, std::vector<std::string>& to) {
  auto* const made = with_value(parser_->add_option(each.names, to, each.help), each, heading_);
  // Without this `-k a b` would take b, too.
  if (is_option(each)) made->allow_extra_args(false)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void option_list::list(const option& each, std::vector<std::string>& to) {
  with_value(parser_->add_option(each.names, to, each.help), each, heading_)->delimiter(',');
}

void option_list::never_both(const char* one, const char* other) {
  parser_->get_option(one)->excludes(parser_->get_option(other));
}

void option_list::footer(const char* text) {
  parser_->footer(text);
}

result<action> read_command_line(const program& about, int argc, char** argv) {
  CLI::App app(about.summary, about.name);
  app.set_version_flag("--version", std::string(about.name) + ' ' + about.version);
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  app.get_formatter()->label("SUBCOMMAND", "VERB");
  app.footer(about.examples);
  const std::vector<defined_verb> verbs = define_verbs(app, about.verbs);
  if (auto known = check_verb(about, argc, argv); !known) return known.error();
  const auto chosen = [&]() -> const defined_verb* {
    const auto found =
        std::find_if(verbs.begin(), verbs.end(), [](const defined_verb& v) { return v.parser->parsed(); });
    return found != verbs.end() ? &*found : nullptr;
  };
  try {
    app.parse(argc, argv);
    return chosen()->run;
  } catch (const CLI::CallForHelp&) {
    const defined_verb* const verb = chosen();
    return printing(verb != nullptr ? verb->parser->help(about.name) : app.help());
  } catch (const CLI::CallForVersion& version) {
    return printing(std::string(version.what()) + '\n');
  } catch (const CLI::ParseError& wrong) {
    const defined_verb* const verb = chosen();
    const std::string name = verb != nullptr ? verb->parser->get_name() : "";
    return {errc::invalid_argument, (name.empty() ? "" : name + ": ") + wrong.what() + " (see " + about.name + ' ' +
                                        (name.empty() ? "" : name + ' ') + "--help)"};
  }
}

}  // namespace seen::cli
