// Neither is printed before the work is done: a document on stdout means that it is.
#include "outcome.hpp"

#include "info_json.hpp"
#include "input.hpp"
#include "options.hpp"
#include "output.hpp"
#include "words.hpp"

namespace seen::cli {

void outcome_options::define(option_list& app) {
  define_quiet(app, quiet);
  app.flag({"--json", "one JSON document on what was done"}, json);
}

result<void> outcome_options::check(const std::string& output) const {
  if (!json || output != dash) return {};
  return {errc::invalid_argument, "--json: standard output takes the filter (-o -), and cannot take a document, too"};
}

result<void> outcome_options::tell(cli::json document, const filter_info& filter, const std::string& line) const {
  if (json) return print(add_filter(document, filter).text() + '\n');
  remark(quiet, line);
  return {};
}

}  // namespace seen::cli
