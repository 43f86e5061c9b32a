"""A file that is read is never what the filter is written to: lists of keys, secrets, and what standard output goes to."""

import os

from support import CommandTest, as_text, lines, main


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
        keyed = ("--hash", "siphash-1-3", "--secret-file", "key", "-n", "10")
        self.build("f", "a", options=keyed)
        for output in ("key", "alias"):
            self.refuses("is read, and would be replaced", "build", "-f", "-o", output, *keyed, "keys")
            for verb in (("merge",), ("intersect",), ("shrink", "-p", "0.5"), ("convert", "--to", "native")):
                self.refuses("is read, and would be replaced", *verb, "-f", "-o", output, "--secret-file", "key", "f")

    def test_a_new_secret_is_not_the_output_by_another_name(self):
        for force in ((), ("-f",)):
            for name in ("./new", "d/../new", self.path("new")):
                self.refuses("is the output too", "build", *force, "-o", "new", "--hash", "siphash-1-3", "--new-secret", name,
                             "keys")

    def test_what_has_the_name_of_a_temporary_or_of_a_checkpoint_is_not_lost(self):
        keyed = ("--hash", "siphash-2-4", "--secret-file")
        sharded = ("--kind", "ribbon", "--shape", "shards=4")
        os.symlink("d/there", self.path("link"))
        for name, output in ((".out.seen-tmp", "out"), ("d/.out.seen-tmp", "d/out"), ("d/.there.seen-tmp", "link")):
            self.write(name, lines("a", "b"))
            os.symlink(name, self.path("alias"))
            for force in ((), ("-f",)):
                for read in (name, "./" + name, "alias"):
                    self.refuses("is read, and would be lost: .*name.* is that of the output's temporary file$", "build", *force,
                                 "-o", output, "keys", read)
                self.refuses("standard input: is read, and would be lost", "build", *force, "-o", output, stdin=name)
            os.unlink(self.path("alias"))
        self.write(".out.seen-tmp", bytes(range(16)))
        self.refuses("is read, and would be lost", "build", "-o", "out", *keyed, ".out.seen-tmp", "keys")
        self.write(".out.seen-build", lines("a", "b"))
        self.write("secret", bytes(range(16)))
        os.unlink(self.path(".out.seen-tmp"))
        for force in ((), ("-f",)):
            self.refuses("is read, and would be lost: its name is that of the output's checkpoint$", "build", *force, *sharded,
                         "-o", "out", "keys", ".out.seen-build")
        self.write(".out.seen-build", bytes(range(16)))
        self.refuses("is read, and would be lost: its name is that of the output's checkpoint$", "build", "-f", *sharded, *keyed,
                     ".out.seen-build", "-o", "out", "keys")
        self.seen("build", "-q", "-o", "out", *keyed, ".out.seen-build", "keys", err="")  # this kind has no checkpoint
        self.assertEqual(self.read(".out.seen-build"), bytes(range(16)))

    def test_a_new_secret_is_not_a_file_that_is_removed(self):
        for name, options in ((".out.seen-tmp", ()), ("d/../.out.seen-tmp", ()), (".out.seen-build", ("--kind", "ribbon"))):
            self.refuses("--new-secret: .* is a file beside the output that is removed", "build", "-o", "out", *options, "--hash",
                         "siphash-1-3", "--new-secret", name, "keys")
        os.symlink("later", self.path("link"))
        self.refuses("is the output too", "build", "-f", "-o", "link", "--hash", "siphash-1-3", "--new-secret", "later", "keys")

    def test_what_is_changed_in_place_spares_what_is_read(self):
        self.write(".f.seen-tmp", bytes(range(65, 81)))
        keyed = ("--secret-file", ".f.seen-tmp")
        self.build("g", "a", options=("--hash", "siphash-1-3", *keyed, "--kind", "counting-bloom", "-n", "1000"))
        os.rename(self.path("g"), self.path("f"))
        for verb in ("add", "remove"):
            self.refuses("is read, and would be lost", verb, "f", *keyed, "keys")
            self.refuses("is read, and would be lost", verb, "f", ".f.seen-tmp")
        self.refuses("is read, and would be lost", "shrink", "f", *keyed, "-p", "0.5")
        self.refuses("is read, and would be lost", "verify", "--recover", "f", *keyed)

    def test_a_filter_with_the_name_of_a_temporary_is_not_lost(self):
        self.build("f", "a", options=("-n", "10"))
        self.build(".out.seen-tmp", "b", options=("-n", "10"))
        for verb in (("merge",), ("intersect",), ("shrink", "-p", "0.5"), ("convert", "--to", "native")):
            self.refuses("is read, and would be lost: its name", *verb, "-o", "out", ".out.seen-tmp")
        # A crash leaves a second name of the filter behind: no reason to refuse.
        os.unlink(self.path(".out.seen-tmp"))
        os.link(self.path("f"), self.path(".f.seen-tmp"))
        self.seen("merge", "-q", "-f", "-o", "f", "f", err="")
        self.holds("f", "a")
        self.assertNotIn(".f.seen-tmp", self.files())

    def test_an_output_without_a_name_is_told_at_once(self):
        self.build("f", "a")
        self.write("key", bytes(range(16)))
        for verb in (("build",), ("merge", "f"), ("shrink", "f"), ("convert", "--to", "native", "f")):
            self.refuses("--output.*is empty", *verb, "-o", "")
            self.refuses("nodir/: is the name of a directory, not of a file$", *verb, "-o", "nodir/")
        self.refuses("--secret-file.*is empty", "query", "f", "--secret-file", "")
        self.refuses("--secret-file.*is empty", "build", "-o", "g", "--secret-file", "", "keys")
        self.refuses("--new-secret.*is empty", "build", "-o", "g", "--new-secret", "", "keys")

    def test_a_filter_is_no_list_of_keys_for_itself(self):
        self.build("f", "a", options=("--kind", "cuckoo", "-n", "100"))
        os.symlink("f", self.path("g"))
        for verb in ("add", "remove"):
            self.refuses("f: is the filter itself, not a list of keys", verb, "f", "more", "f")
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
        told = as_text(done.err) if "--json" in args else done.err
        self.assertRegex(told, r"\Aseen: .*: is read, and standard output goes to the same file\n\Z")

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
        for verb in (("info",), ("info", "--json"), ("verify",), ("verify", "--json")):
            self.appends("f", *verb, "f")
        for name in ("keys", "symbolic", "hard"):
            self.appends("keys", "verify", "f", "more", name)
            self.appends("keys", "verify", "f", "-", stdin=name)
        self.appends("f", "verify", "f", "keys")
        self.assertEqual(self.files(), before)
        self.write("key", bytes(range(16)))
        self.build("k", "a", options=("--hash", "siphash-1-3", "--secret-file", "key"))
        for args in (("query", "k", "-k", "keys"), ("verify", "k"), ("verify", "k", "keys"), ("merge", "-o", "-", "k")):
            self.appends("key", *args, "--secret-file", "key")
        self.assertEqual(self.read("key"), bytes(range(16)))
        with open(os.devnull, "r+b") as null:  # no file: nothing is lost
            self.assertEqual(self.run_seen("query", "f", "-k", "/dev/null", stdout=null).status, 1)


if __name__ == "__main__":
    main()
