"""A language that is skipped is skipped everywhere, and with CI=true one test alone is red.

A check.sh of our own says that a registry does not answer; prepare.sh, the real check.sh of each package, the matrix and the
live tests are then asked what they make of it."""

import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PACKAGES = ("go", "rust", "python")  # each in a folder of that name
LANGUAGES = (*PACKAGES, "node", "java")
WHY = "the registry does not answer"


class Skip(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="seen-skip-")
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name
        self.states = os.path.join(self.folder, "languages")

    def run_script(self, *words, ci):
        environment = dict(os.environ, SEEN_LANGUAGES=self.states, CI="true" if ci else "")
        done = subprocess.run(words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)
        return done.returncode, done.stdout

    def prepare(self, language, status=77, ci=False):
        check = os.path.join(self.folder, "check.sh")
        with open(check, "w", encoding="utf-8") as script:
            script.write(f"#!/bin/sh\necho noise\necho 'skipped: {language}: {WHY}'\nexit {status}\n")
        os.chmod(check, 0o755)
        return self.run_script(os.path.join(HERE, "prepare.sh"), language, self.states, check, ci=ci)

    def test_a_preparation_says_why_and_fails_under_ci_alone(self):
        self.assertEqual(self.prepare("go"), (77, f"skipped: go: {WHY}\n"))
        self.assertEqual(self.prepare("go", ci=True), (1, f"skipped: go: {WHY}\n"))

    def test_a_preparation_that_breaks_is_an_error_everywhere(self):
        for ci in False, True:
            status, said = self.prepare("go", status=3, ci=ci)
            self.assertEqual(status, 1)
            self.assertIn("its preparation failed", said)

    def test_the_tests_of_a_skipped_package_are_skipped_under_ci_too(self):
        for language in PACKAGES:
            self.prepare(language)
            for ci in False, True:
                got = self.run_script(os.path.join(ROOT, language, "check.sh"), os.path.join(self.folder, language), ci=ci)
                self.assertEqual(got, (77, f"skipped: {language}: {WHY}\n"))

    def test_the_matrix_and_the_live_tests_leave_a_skipped_language_out(self):
        for language in LANGUAGES:
            self.prepare(language)
        status, said = self.run_script(sys.executable, "-B", os.path.join(HERE, "matrix_test.py"), *PACKAGES, ci=True)
        self.assertEqual(status, 77, said)
        for language in PACKAGES:
            self.assertIn(f"{language.capitalize()} is skipped: {language}: {WHY}", said)
        status, said = self.run_script(sys.executable, "-B", os.path.join(ROOT, "tests", "live", "round_trip_test.py"), ci=True)
        self.assertEqual(status, 77, said)
        for language in LANGUAGES:
            self.assertIn(f"skipped: {language}: {WHY}", said)


if __name__ == "__main__":
    unittest.main()
