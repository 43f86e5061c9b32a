// seen report: a page about one filter, for a browser and for paper. What `seen info` says in lines is shown in pictures here.
//
//   facts        what it is                                           facts.hpp
//   advice       sentences: is it full, is it too large?              report_advice.hpp
//   pictures     fill by region, blocks, rate over keys, kinds        report_pictures.hpp
//
// The page is one file: no script, no font, nothing from a network, and a policy in it that forbids a browser to fetch
// anything. Whatever the filter's file brings along is escaped (html.hpp).
#include <seen/base/version.hpp>
#include <seen/storage/file.hpp>

#include <fmt/core.h>
#include <memory>
#include <span>

#include "facts.hpp"
#include "filter_file.hpp"
#include "html.hpp"
#include "options.hpp"
#include "output.hpp"
#include "report_advice.hpp"
#include "report_pictures.hpp"
#include "verb.hpp"
#include "words.hpp"

namespace seen::cli {
namespace {

struct report_options {
  std::string path;
  filter_options filter;
  output_options output;
};

// So many can be told apart on paper, and are enough for statistics.
constexpr std::size_t regions = 256;

// The colours of pictures are those of Okabe and Ito, which everybody can tell apart; from blue over grey to orange where a
// number has a middle.
constexpr const char* style = R"css(
:root { color-scheme: light dark; --page: #fff; --ink: #1a1a1a; --soft: #5c5c5c; --grid: #dcdcdc; --card: #f6f6f4;
  --blue: #0072b2; --orange: #d55e00; --green: #00795a; --bar: #8fb8d3; --band: #e3ebf1;
  --h0: #0060a0; --h1: #3f8dc0; --h2: #84b7d9; --h3: #bed6e6; --h4: #e2e2e0; --h5: #f1d2b8; --h6: #eaa875; --h7: #dd7a34; --h8: #c04f00; }
@media (prefers-color-scheme: dark) { :root { --page: #16181b; --ink: #e9e9e6; --soft: #a9adb3; --grid: #34383d; --card: #1e2125;
  --blue: #56b4e9; --orange: #f0923c; --green: #2fc79b; --bar: #3d6b8a; --band: #233039;
  --h0: #6cc0f5; --h1: #4f97c6; --h2: #3f7093; --h3: #3a5265; --h4: #3b3d40; --h5: #6a4f3b; --h6: #9a6436; --h7: #cd7f33; --h8: #ffa24d; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 82rem; background: var(--page); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; }
h1 { font-size: 1.5rem; line-height: 1.2; margin: 0 0 .3rem; overflow-wrap: anywhere; }
h2 { font-size: 1.05rem; margin: 0 0 .5rem; }
.verdict { margin: 0 0 1.2rem; color: var(--soft); }
.verdict b { color: var(--green); } .verdict.bad b { color: var(--orange); }
.words { display: grid; gap: 1rem; }
section, figure { background: var(--card); border-radius: 8px; padding: 1rem; margin: 0; min-width: 0; }
dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem .9rem; margin: 0; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
ul { margin: 0; padding-left: 1.1rem; } li { margin-bottom: .4rem; overflow-wrap: anywhere; }
.pictures { margin-top: 1rem; } .pictures > * { margin-bottom: 1rem; break-inside: avoid; }
code { font: .92em ui-monospace, monospace; }
figcaption { color: var(--soft); font-size: .9rem; margin-top: .4rem; }
footer { color: var(--soft); font-size: .85rem; margin-top: 1rem; overflow-wrap: anywhere; }
svg { display: block; width: 100%; max-width: 640px; height: auto; margin: 0 auto; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
svg text { font: 13px system-ui, -apple-system, "Segoe UI", sans-serif; fill: var(--soft); font-variant-numeric: tabular-nums; }
svg .label, svg .value { paint-order: stroke; stroke: var(--card); stroke-width: 3px; stroke-linejoin: round; }
svg .title { fill: var(--ink); } svg .value { fill: var(--ink); font-weight: 600; } svg .inside { fill: var(--ink); font-weight: 600; }
.grid { stroke: var(--grid); stroke-width: 1; }
.line { fill: none; stroke: var(--blue); stroke-width: 2.5; } .expected { fill: none; stroke: var(--ink); stroke-width: 1.5; }
.asked { stroke: var(--orange); stroke-width: 1.5; stroke-dasharray: 6 4; } .planned { stroke: var(--soft); stroke-width: 1.5; stroke-dasharray: 2 3; }
.band { fill: var(--band); } .dot { fill: var(--blue); } .odd { fill: var(--orange); stroke: var(--page); }
.now { fill: var(--orange); stroke: var(--page); stroke-width: 1.5; } .bar { fill: var(--bar); } .this { fill: var(--blue); }
svg .heat0 { fill: var(--h0); } svg .heat1 { fill: var(--h1); } svg .heat2 { fill: var(--h2); } svg .heat3 { fill: var(--h3); }
svg .heat4 { fill: var(--h4); } svg .heat5 { fill: var(--h5); } svg .heat6 { fill: var(--h6); } svg .heat7 { fill: var(--h7); } svg .heat8 { fill: var(--h8); }
@media (max-width: 600px) { body { padding: .5rem; } section, figure { padding: .7rem; } svg text { font-size: 14px; } }
@media (min-width: 900px) { .words { grid-template-columns: 1fr 1fr; } .pictures { columns: 2; column-gap: 1rem; } }
@media print { body { max-width: none; padding: 0; font-size: 12px; } section, figure { border: 1px solid #ccc; }
  .words { grid-template-columns: 1fr 1fr; } .pictures { columns: 2; column-gap: 1rem; } }
)css";

// A keyed filter opens with its secret only; what `seen info` says of it is said without.
result<reported_filter> read_filter(const report_options& o) {
  auto open = o.filter.read();
  if (!open) return open.error();
  reported_filter of{.path = o.path};
  auto filter = open_filter(o.path, *open, opening::checked);
  if (!filter && filter.error().code != errc::secret_required) return filter.error();
  if (!filter) {
    auto info = any_filter::inspect(o.path, *open);
    if (!info) return info.error();
    of.info = std::move(*info);
    return of;
  }
  of.info = filter->info();
  if (auto survey = filter->survey(regions)) of.survey = std::move(*survey);
  of.filter = std::move(*filter);
  return of;
}

std::string headline(const reported_filter& of) {
  const filter_health& health = of.info.health;
  std::string bad;
  const auto add = [&](bool found, const char* words) {
    if (found) bad += (bad.empty() ? "" : ", ") + std::string(words);
  };
  add(!of.info.origin.sealed, "not closed by its last writer");
  add(health.saturated, "saturated");
  add(health.past_capacity, "past its capacity");
  add(health.above_fpr, "above its rate");
  add(of.odd_regions() != 0, "not evenly filled");
  if (!bad.empty()) return "<p class=\"verdict bad\"><b>Needs a look:</b> " + bad + ".</p>\n";
  return fmt::format("<p class=\"verdict\"><b>Healthy:</b> {} keys, rate {} now.</p>\n",
                     key_count(of.info.keys, of.info.keys_exact), short_number(of.info.fpr_now));
}

// What stands in place of the pictures that cannot be drawn.
std::string missing(const reported_filter& of) {
  if (of.filter && of.survey) return "";
  const char* const why = !of.filter
                              ? "Fill by region and the rate as keys are added need its secret: --secret-file FILE."
                              : "There is no fill by region: its table is full however many keys it holds.";
  return fmt::format("<section>\n<h2>Not shown</h2>\n<p>{}</p>\n</section>\n", why);
}

// What stands between backticks, as code.
std::string with_code(std::string_view text) {
  std::string marked;
  bool inside = false;
  for (const char c : text) {
    if (c != '`') {
      marked += c;
    } else {
      inside = !inside;
      marked += inside ? "<code>" : "</code>";
    }
  }
  return marked;
}

std::string page(const reported_filter& of) {
  const std::vector<candidate> kinds = candidates_for(of.compared());
  std::string text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\">\n<title>{0}</title>\n<style>{1}</style>\n</head>\n"
      "<body>\n<h1>{0}</h1>\n",
      html(of.path), style);
  text += headline(of) + "<div class=\"words\">\n<section>\n<h2>What it is</h2>\n<dl>\n";
  for (const auto& [word, value] : facts_of(of.info, false))
    text += fmt::format("<dt>{}</dt><dd>{}</dd>\n", html(word), html(value));
  text += "</dl>\n</section>\n<section>\n<h2>Advice</h2>\n<ul>\n";
  for (const std::string& sentence : advice_on(of, kinds)) text += "<li>" + with_code(html(sentence)) + "</li>\n";
  text += "</ul>\n</section>\n</div>\n<div class=\"pictures\">\n";
  text += regions_picture(of) + rate_picture(of) + blocks_picture(of) + kinds_picture(of, kinds) + missing(of);
  return text +
         fmt::format("</div>\n<footer>seen {} report of {}</footer>\n</body>\n</html>\n", version, html(of.path));
}

result<void> write(const report_options& o, const std::string& text) {
  if (o.output.path == dash) return print(text);
  auto file = replacement::begin(o.output.path, o.output.overwrite);
  if (!file) return cannot_write(o.output.path, file.error());
  if (auto put = file->write(std::as_bytes(std::span(text))); !put) return cannot_write(o.output.path, put.error());
  if (auto kept = file->commit(); !kept) return cannot_write(o.output.path, kept.error());
  return {};
}

result<exit_status> report_on(const report_options& o) {
  std::vector<std::string> kept = o.filter.secrets();
  kept.push_back(o.path);
  if (auto writable = o.output.check(kept); !writable) return writable.error();
  auto of = read_filter(o);
  if (!of) return of.error();
  if (auto written = write(o, page(*of)); !written) return written.error();
  return exit_status::yes;
}

}  // namespace

action define_report(option_list& app) {
  auto o = std::make_shared<report_options>();
  o->output.product = "report";
  app.value({"filter", "the filter file", "FILE", need::required}, o->path);
  o->output.define(app);
  o->filter.define(app);
  app.footer(
      "The page needs no network and has no script. It shows how full each region of the table is, how full\n"
      "blocks are beside what chance makes of them, the rate as keys are added, and the size beside other kinds.\n"
      "\n"
      "Examples:\n"
      "  seen report users.seen -o users.html\n"
      "  seen report keyed.seen --secret-file key.txt -o - > keyed.html");
  return [o] { return report_on(*o); };
}

}  // namespace seen::cli
