"""seen report: a page that is whole in itself, true to `seen info`, and safe whatever the file is called or says."""

import html.parser
import os
import re
import xml.etree.ElementTree as xml

from support import CommandTest, for_every_kind, lines, main

VOID = {"meta"}
HOSTILE = "<script>alert(1)</script>&\"'`</title><!--\x1b[31m\u202e\u0085.seen"


class Page(html.parser.HTMLParser):
    """The page, parsed strictly: every element is closed, in order."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.tags, self.attributes, self.texts, self.wrong = [], [], [], {}, []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attributes]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attributes]

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}>")

    def handle_data(self, data):
        if self.open and data.strip():
            self.texts.setdefault(self.open[-1], []).append(data)

    def text(self, tag):
        return " ".join(self.texts.get(tag, []))


class Report(CommandTest):
    def report(self, name, *options, err=""):
        text = self.seen("report", name, "-o", "-", *options, err=err).out.decode()
        return self.check(text), text

    def check(self, text):
        """What holds of every page."""
        self.assertTrue(text.startswith("<!DOCTYPE html>"))
        page = Page(text)
        self.assertEqual((page.wrong, page.open), ([], []))
        self.assertNotIn("script", page.tags)
        for tag, name, value in page.attributes:
            self.assertNotIn(name, ("src", "href", "xlink:href", "action", "onload"), tag)
            self.assertFalse(name.startswith("on"), name)
            self.assertNotRegex(value, r"(?i)url\(|https?:|//")
        style = re.search(r"<style>(.*?)</style>", text, flags=re.S)[1]
        self.assertNotRegex(style, r"(?i)url\(|@import|https?:|//")
        self.assertIn("prefers-color-scheme: dark", style)
        self.assertIn("@media print", style)
        self.assertIn(("meta", "content", "default-src 'none'; style-src 'unsafe-inline'"), page.attributes)
        used = {word for _, name, value in page.attributes if name == "class" for word in value.split()}
        self.assertEqual({each for each in used if not re.search(rf"\.{each}\b", style)} - {"grid"}, set())
        drawings = re.findall(r"<svg.*?</svg>", text, flags=re.S)
        for each in drawings:  # also as XML, and everything drawn within the picture
            root = xml.fromstring(each)
            _, _, width, height = map(float, root.attrib["viewBox"].split())
            self.assertTrue(root.attrib["aria-label"])
            for shape in root.iter():
                for name in ("x", "x1", "x2", "cx"):
                    self.assertTrue(0 <= float(shape.attrib.get(name, 0)) <= width, shape.attrib)
                for name in ("y", "y1", "y2", "cy"):
                    self.assertTrue(0 <= float(shape.attrib.get(name, 0)) <= height, shape.attrib)
                for name in ("width", "height"):
                    self.assertGreaterEqual(float(shape.attrib.get(name, 0)), 0)
        page.drawings = drawings
        self.assertNotRegex(text, r"(?i)\bnan\b|\binf\b")
        return page

    def headings(self, page):
        return page.texts["h2"]

    def build_thousand(self, name, *options):
        self.build(name, *range(1000), options=options)

    @for_every_kind()
    def test_every_kind(self, row):
        kind = row["kind"]
        static = not row["can_add"]
        for count in (0, 1, 1000):
            more = () if static else ("-n", 1000)
            self.seen("build", "-q", "-f", "-o", "f", "--kind", kind, *more, stdin=lines(*range(count)), err="")
            page, text = self.report("f")
            self.assertEqual("Fill by region" in self.headings(page), not static)
            self.assertIn("Bits per key, by kind", self.headings(page))
            self.assertRegex(text, rf'class="value"[^>]*>{kind}( [a-z0-9-]+)?<')  # its own bar is marked
            self.assertIn("Healthy:", page.text("b"))
            self.assertEqual("It is empty" in page.text("li"), count == 0)

    def test_the_numbers_are_those_of_info(self):
        self.build_thousand("f", "--kind", "blocked-bloom", "-n", 1000)
        page, text = self.report("f")
        info = self.info("f")
        said = dict(zip(page.texts["dt"], page.texts["dd"]))
        for word, value in re.findall(r"^  (\w+) +(.*)$", self.seen("info", "f", err="").out.decode(), flags=re.M):
            self.assertEqual(said[word], re.sub(r"^\[[#.]*\] ", "", value))
        self.assertIn(f"about {round(info['keys']):,} keys, rate {info['fpr_now']:.3g}", page.text("p"))
        # Every region is under the pointer; together they are the fill.
        regions = re.findall(r"<circle[^>]*><title>region \d+ of \d+: ([\d,]+) of ([\d,]+) bits", text)
        used, places = (sum(int(each[i].replace(",", "")) for each in regions) for i in (0, 1))
        self.assertEqual(places, 8 * info["bytes"])
        self.assertAlmostEqual(used / places, info["fill"], places=9)
        # Of the blocks, too.
        blocks = sum(int(each) for each in re.findall(r": (\d+) blocks, expected", text))
        self.assertEqual(blocks, info["shape"]["blocks"])
        plan = self.seen("plan", "--json", "-n", 1000, err="").json()
        for row in plan["kinds"]:
            name = " ".join(filter(None, (row["kind"], row.get("variant"))))
            self.assertIn(f"{name}: {row['bits_per_key']:.2f} bits per key", text)
        self.assertIn(f"lower bound {plan['lower_bound_bits'] / 1000:.2f}", text)
        self.assertIn(f"this filter: {8 * info['bytes'] / 1000:.2f} bits per key", text)

    def test_what_is_wrong_is_said(self):
        self.seen("build", "-q", "-o", "over", "-n", 500, stdin=lines(*range(1000)), err=None)
        page, _ = self.report("over")
        self.assertRegex(page.text("p"), "past its capacity, above its rate")
        self.assertRegex(page.text("li"), r"It is too full: about [\d,]+ keys, planned for 500\. Its rate is 0\.1\d+ instead of 0\.01")
        self.seen("build", "-q", "-o", "full", "--kind", "bloom", "-n", 10, stdin=lines(*range(100_000)), err=None)
        page, text = self.report("full")
        self.assertIn("Needs a look:", page.text("b"))
        self.assertRegex(page.text("li"), "says yes to every key")
        self.build_thousand("large", "--kind", "bloom", "-n", 10_000)
        page, _ = self.report("large")
        self.assertRegex(page.text("li"), r"It holds 9\.\d+ % of the keys")
        self.assertIn("seen shrink FILE", page.text("code"))

    def test_a_hole_is_pointed_out(self):
        self.build("f", *range(100_000), options=("--format", "bits-and-blooms", "-n", 100_000))
        data = bytearray(self.read("f"))
        data[50_000:52_048] = bytes(2048)
        self.write("torn", bytes(data))
        page, text = self.report("torn", "--format", "bits-and-blooms")
        self.assertIn("not evenly filled", page.text("p"))
        self.assertRegex(page.text("li"), "regions are fuller or emptier than chance explains")
        self.assertRegex(page.text("figcaption"), r"\d+ regions are further off .* The first is region \d+ of 256: ")
        self.assertIn('class="odd"', text)
        page, text = self.report("f", "--format", "bits-and-blooms")
        self.assertNotIn('class="odd"', text)

    def test_hostile_names_and_metadata_are_text(self):
        self.build("f", "a", options=("--metadata", "<img src=x onerror=alert(1)>&lt;"))
        os.rename(self.path("f"), self.path(HOSTILE.replace("/", "\u2215")))
        name = HOSTILE.replace("/", "\u2215")
        page, text = self.report(name)
        self.assertNotIn("img", page.tags)
        self.assertNotRegex(text, "[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]")
        shown = re.sub("[\x1b\u202e\u0085]", "\ufffd", name)
        self.assertEqual(page.texts["h1"], [shown])
        self.assertEqual(page.texts["title"][0], shown)
        self.assertIn("<img src=x onerror=alert(1)>&lt;", page.text("dd"))

    def test_a_name_that_is_not_utf8(self):
        self.build("f", "a")
        name = b"caf\xe9<b>"
        os.rename(self.path("f"), os.path.join(os.fsencode(self.dir), name))
        page, _ = self.report(os.fsdecode(name))
        self.assertEqual(page.texts["h1"], ['"caf\\xe9<b>"'])

    def test_formats_of_other_libraries(self):
        for name, rows in (("redisbloom", "nonscaling"), ("guava", ""), ("seiflotfy-cuckoo", ""), ("parquet", ""),
                           ("pybloom-live", "scalable"), ("hadoop", "counting"), ("boomfilters", "stable")):
            with self.subTest(name):
                self.seen("build", "-q", "-f", "-o", "f", "--format", name, *(("--variant", rows) if rows else ()), "-n", 1000,
                          stdin=lines(*range(900)), err=None)
                page, _ = self.report("f", "--format", name, err=None)
                self.assertIn("Fill by region", self.headings(page))
        self.seen("build", "-q", "-f", "-o", "f", "--format", "xorfilter-go", stdin=lines(*range(900)), err=None)
        page, _ = self.report("f", "--format", "xorfilter-go", err=None)
        self.assertIn("Not shown", self.headings(page))

    def test_a_keyed_filter_without_its_secret(self):
        self.seen("build", "-q", "-o", "f", "--hash", "siphash-1-3", "--new-secret", "s", stdin=lines(*range(100)), err=None)
        page, _ = self.report("f")
        self.assertIn("Not shown", self.headings(page))
        self.assertRegex(page.text("p"), "need its secret: --secret-file")
        page, _ = self.report("f", "--secret-file", "s")
        self.assertIn("Fill by region", self.headings(page))

    def test_it_is_written_as_filters_are(self):
        self.build("f", "a")
        self.seen("report", "f", "-o", "page.html", err="")
        self.assertEqual(self.read("page.html"), self.seen("report", "f", "-o", "-", err="").out)
        self.refuses("exists already", "report", "f", "-o", "page.html")
        self.seen("report", "f", "-f", "-o", "page.html", err="")
        self.refuses("would be replaced by the report", "report", "f", "-f", "-o", "f")
        self.refuses("No such file", "report", "none", "-o", "x")
        self.refuses("--output is required", "report", "f")
        self.assertEqual(sorted(self.files()), ["f", "page.html"])

    def test_the_same_filter_gives_the_same_page(self):
        self.build("f", *range(100))
        self.assertEqual(self.report("f")[1], self.report("f")[1])


if __name__ == "__main__":
    main()
