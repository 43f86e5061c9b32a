"""The page of seen report in headless Chromium: it opens, and the console stays empty."""

import os
import shutil
import subprocess
import sys
import tempfile

from support import CommandTest, lines, main

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
QUIET = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--enable-logging=stderr"]


class Browser(CommandTest):
    def setUp(self):
        super().setUp()
        if BROWSER is None:
            self.skip_unless_ci("no Chromium opens the page of seen report (apt-get install chromium)")

    def opened(self, page):
        """What the browser makes of a page, and what it says on the way."""
        with tempfile.TemporaryDirectory() as profile:
            done = subprocess.run([BROWSER, *QUIET, "--user-data-dir=" + profile, "--dump-dom", "file://" + self.path(page)],
                                  capture_output=True, timeout=120, env={**self.env, "HOME": profile})
        said = done.stderr.decode(errors="replace")
        self.assertEqual(done.returncode, 0, said)
        return done.stdout.decode(), [line for line in said.splitlines() if "CONSOLE" in line]

    def test_it_opens_and_the_console_is_empty(self):
        self.build("f", *range(1000), options=("-n", 1000))
        self.seen("report", "f", "-o", "page.html", err="")
        dom, said = self.opened("page.html")
        self.assertEqual(said, [])
        self.assertEqual(dom.count("<svg"), self.read("page.html").count(b"<svg"))
        for heading in ("Fill by region", "Rate as keys are added", "Blocks by how full they are", "Bits per key, by kind"):
            self.assertIn(heading, dom)

    def test_an_error_would_be_seen(self):
        """And its policy holds: no script runs, no picture is fetched."""
        self.build("f", "a")
        text = self.seen("report", "f", "-o", "-", err="").out
        self.write("page.html", text.replace(b"</body>", b'<script>document.title = "ran"</script><img src="x.png"></body>'))
        dom, said = self.opened("page.html")
        self.assertEqual(len(said), 2, said)
        self.assertNotIn("<title>ran", dom)


if __name__ == "__main__":
    if BROWSER is None and os.environ.get("CI") != "true":
        print("skipped: no Chromium opens the page of seen report (apt-get install chromium)")
        sys.exit(77)
    main()
