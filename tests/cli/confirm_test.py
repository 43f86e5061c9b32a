"""seen query --confirm: intersection and difference of lists, exact, against Python's sets."""

import gzip
import json
import random

from support import CommandTest, lines, main


class Confirm(CommandTest):
    def setUp(self):
        super().setUp()
        # A filter that is wrong half of the time: without the list, the answers would be useless.
        self.held = [f"key {i}" for i in range(3000)]
        self.write("held", lines(*self.held))
        self.build("f", *self.held, options=("-p", "0.5"))
        self.confirm = ("query", "f", "--confirm", "held")

    def test_it_is_what_sets_say_in_order_with_repetitions(self):
        rng = random.Random(5)
        held = set(self.held)
        for size in (0, 1, 100, 40_000):
            asked = [f"key {rng.randrange(6000)}" for _ in range(size)]
            inside, outside = [k for k in asked if k in held], [k for k in asked if k not in held]
            self.write("asked", lines(*asked))
            for stdin, args in ((b"", ("asked",)), (lines(*asked), ()), (lines(*asked), ("-",)), ("asked", ())):
                self.seen(*self.confirm, *args, stdin=stdin, out=lines(*inside), status=0 if inside else 1, err="")
                self.seen(*self.confirm, "-v", *args, stdin=stdin, out=lines(*outside), status=0 if outside else 1, err="")
        self.seen(*self.confirm, "-c", "asked", out=lines(len(inside)), err="")

    def test_standard_input_goes_on_where_it_is(self):
        """The shell has read the first line of the file by then."""
        import subprocess
        from support import SEEN
        self.write("asked", lines("key 1", "key 2", "none"))
        with open(self.path("asked"), "rb", buffering=0) as asked:
            asked.seek(6)
            done = subprocess.run([SEEN, *self.confirm], cwd=self.dir, stdin=asked, capture_output=True)
        self.assertEqual((done.stdout, done.stderr), (b"key 2\n", b""))

    def test_with_all_that_a_query_can_do(self):
        self.write("asked.gz", gzip.compress(lines("key 1", "other", "key 2")))
        self.seen(*self.confirm, "-n", "asked.gz", "-e", "key 7", out=b"command line:1:key 7\nasked.gz:1:key 1\nasked.gz:3:key 2\n", err="")
        self.seen(*self.confirm, stdin=gzip.compress(lines("key 1", "other")), out=lines("key 1"), err="")
        self.seen(*self.confirm, "--field", "2", "-d", ",", stdin=b"1,key 1,x\n2,other\n", out=b"1,key 1,x\n", err="")
        done = self.seen(*self.confirm, "--json", stdin=lines("key 1", "other"), err="")
        self.assertEqual([json.loads(line) for line in done.out.splitlines()],
                         [{"line_number": 1, "key": "key 1", "contains": True}, {"line_number": 2, "key": "other", "contains": False}])
        self.seen("query", "f", "held", "-q", "--confirm", "-", stdin=lines(*self.held), out=b"", err="")

    def test_several_lists_made_the_filter(self):
        self.write("one", lines(*self.held[:1000]))
        self.write("two", lines(*self.held[1000:]))
        self.seen("query", "f", "--confirm", "one", "--confirm", "two", "-c", "held", out=lines(3000), err="")

    def test_a_list_that_did_not_make_the_filter(self):
        self.write("strange", lines("key 1", *(f"strange {i}" for i in range(50))))
        self.refuses(r'strange: line \d+: "strange \d+" is not in f, which was not made of this list \(--confirm\)',
                     "query", "f", "--confirm", "strange", stdin=lines("key 1"))

    def test_refusals(self):
        self.build("g", "x")
        self.refuses("--confirm: goes with one filter", "query", "-F", "f", "-F", "g", "--confirm", "held", stdin=b"")
        self.refuses("nowhere: open", "query", "f", "--confirm", "nowhere", stdin=b"")
        self.refuses("--confirm: standard input .* cannot be read twice", "query", "f", "--confirm", "-", stdin=b"")


if __name__ == "__main__":
    main()
