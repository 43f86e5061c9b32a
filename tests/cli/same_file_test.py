"""A file that is read is never what the filter is written to: lists of keys, secrets, and what standard output goes to."""

import os

from support import CommandTest, lines, main


class SameFile(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("keys", lines("a", "b"))
        self.write("more", lines("c"))
        os.symlink("keys", self.path("symbolic"))
        os.link(self.path("keys"), self.path("hard"))
        os.mkdir(self.path("d"))

    def test_a_list_of_keys_is_not_replaced_by_its_filter(self):
        names = ("keys", "./keys", "d/../keys", "symbolic", "hard", self.path("keys"))
        for force in ((), ("-f",)):
            for kind in ((), ("-n", "10"), ("--kind", "ribbon"), ("--format", "xorfilter-go", "--hash", "xxh64")):
                for output in names:
                    with self.subTest((force, kind, output)):
                        self.refuses("keys: is read, and would be replaced by the filter|it is ", "build", *force, *kind, "-o",
                                     output, "more", "keys")
        for name in names:
            self.refuses("is read, and would be replaced", "build", "-f", "-o", "keys", name)
            self.refuses("keys: is read, and would be replaced by the filter: give another name to -o .it is standard input.$",
                         "build", "-f", "-o", "keys", stdin=name)
            self.refuses("is read, and would be replaced", "build", "-f", "-o", "keys", "more", "-", stdin=name)

    def test_another_file_of_the_same_content_may_be(self):
        self.write("copy", self.read("keys"))
        self.seen("build", "-q", "-f", "-o", "copy", "keys", err="")
        self.holds("copy", "a", "b")

    def test_a_secret_is_not_replaced_by_a_filter(self):
        self.write("key", bytes(range(16)))
        os.symlink("key", self.path("alias"))
        keyed = ("--hash", "siphash-1-3", "--key-file", "key", "-n", "10")
        self.build("f", "a", options=keyed)
        for output in ("key", "alias"):
            self.refuses("is read, and would be replaced", "build", "-f", "-o", output, *keyed, "keys")
            for verb in (("merge",), ("intersect",), ("shrink", "-p", "0.5"), ("convert", "--to", "native")):
                self.refuses("is read, and would be replaced", *verb, "-f", "-o", output, "--key-file", "key", "f")

    def test_a_new_secret_is_not_the_output_by_another_name(self):
        for force in ((), ("-f",)):
            for name in ("./new", "d/../new", self.path("new")):
                self.refuses("is the output too", "build", *force, "-o", "new", "--hash", "siphash-1-3", "--new-key", name,
                             "keys")

    def test_a_filter_is_no_list_of_keys_for_itself(self):
        self.build("f", "a", options=("--kind", "cuckoo", "-n", "100"))
        os.symlink("f", self.path("g"))
        for verb in ("add", "remove"):
            self.refuses("f: is the filter itself, and no list of keys", verb, "f", "more", "f")
            self.refuses("g: is the filter itself", verb, "f", "g")
            self.refuses("f: is the filter itself", verb, "g", "f")
            self.refuses("standard input: is the filter itself", verb, "f", stdin="f")

    def test_a_filter_is_replaced_by_what_is_made_of_it(self):
        large = ("--kind", "bloom", "--bits", "50400", "--probes", "3")
        self.build("f", "a", options=large)
        self.build("g", "b", options=large)
        self.seen("merge", "-q", "-f", "-o", "f", "f", "g", err="")
        self.holds("f", "a", "b")
        self.seen("shrink", "-q", "-f", "-p", "0.01", "-o", "f", "f", err="")
        self.holds("f", "a", "b")
        self.seen("convert", "-q", "-f", "--to", "native", "-o", "f", "f", err="")
        self.holds("f", "a", "b")

    def appends(self, name, *args, **more):
        with open(self.path(name), "ab") as out:
            done = self.run_seen(*args, stdout=out, **more)
        self.assertEqual(done.status, 2)
        self.assertRegex(done.err, r"\Aseen: .*: is read, and standard output goes to the same file\n\Z")

    def test_standard_output_is_none_of_the_files_either(self):
        self.build("f", "a", "b")
        before = self.files()
        for name in ("keys", "symbolic", "hard"):
            self.appends("keys", "build", "-o", "-", name)
            self.appends("keys", "query", "f", "-k", name)
            self.appends("keys", "query", "f", stdin=name)
        self.appends("f", "query", "f", "-k", "keys")
        for verb in (("merge",), ("intersect",), ("shrink", "-p", "0.5"), ("convert", "--to", "native")):
            self.appends("f", *verb, "-o", "-", "f")
        self.assertEqual(self.files(), before)
        with open(os.devnull, "r+b") as null:  # no file: nothing is lost
            self.assertEqual(self.run_seen("query", "f", "-k", "/dev/null", stdout=null).status, 1)


if __name__ == "__main__":
    main()
