"""The table of words in docs/languages.md is true and complete.

Every name in it must exist in the language of its column, and every public name of a language must be in its column. So
whoever adds or renames something has to say what the other languages call it. public_names.py reads the names from the sources."""

import os
import re
import sys
import unittest

import public_names

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DOCUMENT = os.path.join(ROOT, "docs", "languages.md")
HEADING = "## Words"


def words_of(text):
    """The names that the tables below the heading give each language, and the line of each."""
    named, columns, inside = {}, None, False
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("## "):
            inside = line == HEADING
        if not inside or not line.startswith("|"):
            columns = None
            continue
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if columns is None:
            columns = cells
        for language, cell in zip(columns[1:], cells[1:]):
            for name in re.findall(r"`([^`]+)`", cell):
                named.setdefault(language, {})[name] = number
    return named


def complaints(named, public):
    """What is wrong with a table, one sentence per name."""
    found = []
    for language, names in public.items():
        column = named.get(language, {})
        found += [f"line {column[name]}: {language} has no {name}" for name in sorted(set(column) - names.there)]
        found += [f"{language} has {name}, which the table lacks" for name in sorted(names.told - set(column))]
    return found


class Words(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.public = public_names.of(ROOT)
        with open(DOCUMENT, encoding="utf-8") as document:
            cls.named = words_of(document.read())

    def test_every_word_of_the_table_exists_and_every_public_name_is_in_it(self):
        if found := complaints(self.named, self.public):
            self.fail("\n".join(["docs/languages.md:", *found]))

    def test_the_sources_are_read(self):
        """A pattern that no longer fits the sources would find few names, and nothing to complain of."""
        fewest = {"C++": 200, "C": 200, "Python": 100, "Go": 150, "Rust": 130, "command": 50}
        for language, least in fewest.items():
            self.assertGreaterEqual(len(self.public[language].told), least, language)
        for language, name in (("C++", "filter::add"), ("C", "seen_add"), ("C", "seen_info.fill"), ("C", "SEEN_FULL"),
                               ("Python", "Filter.add"), ("Python", "Info.fill"), ("Python", "secret="), ("Go", "AddString"),
                               ("Go", "Info.Shape"), ("Go", "ErrIncompatible"), ("Go", "bloom.Load"), ("Rust", "add"),
                               ("Rust", "Error::Incompatible"), ("Rust", "Target::fpr"), ("command", "query"),
                               ("command", "--fpr")):  # fmt: skip
            self.assertIn(name, self.public[language].told)

    def test_a_table_that_lies_or_lacks_a_word_is_refused(self):
        public = {"Go": public_names.Names({"Add", "Close", "Load"}, {"Add", "Load"})}
        table = f"{HEADING}\n\n| idea | Go |\n|---|---|\n| add | `Add`, `Close` |\n| load | `Open` |\n"
        self.assertEqual(complaints(words_of(table), public),
                         ["line 6: Go has no Open", "Go has Load, which the table lacks"])  # fmt: skip
        self.assertEqual(complaints(words_of(table.replace("Open", "Load")), public), [])
        elsewhere = table.replace(HEADING, "## Speed")
        self.assertEqual(len(complaints(words_of(elsewhere), public)), 2)


if __name__ == "__main__":
    unittest.main()
