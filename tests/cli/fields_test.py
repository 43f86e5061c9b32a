"""Keys that are a part of their record: fields, CSV, JSON, fixed width, digests."""

import csv
import hashlib
import io
import json
import random
import re

from support import CommandTest, lines, main


class PartsTest(CommandTest):
    def keys_of(self, data, *options, status=0, err=""):
        """The keys that a filter is asked for, as hexadecimal digits of JSON's."""
        self.seen("build", "-q", "-f", "-n", "1", "-o", "empty", "/dev/null", err="")
        self.write("data", data)
        out = self.seen("query", "empty", "--json", *options, "-k", "data", status=status, err=err).out
        return [json.loads(line) for line in out.splitlines()]

    def same_keys(self, keys, data, *options):
        """Keys cut from `data` make the filter of `keys`, from a file and from a pipe."""
        self.seen("build", "-q", "-f", "-o", "expected", "--hex", stdin=lines(*(k.hex() for k in keys)), err="")
        expected = self.read("expected")
        self.write("data", data)
        self.seen("build", "-q", "-f", "-o", "f", *options, "data", err="")
        self.assertEqual(self.read("f"), expected, (options, "from a file"))
        self.seen("build", "-q", "-f", "-o", "f", *options, stdin=data, err="")
        self.assertEqual(self.read("f"), expected, (options, "from a pipe"))

    def bad(self, message, data, *options):
        self.refuses(re.escape(message), "build", "-o", "never", *options, stdin=data)


class Fields(PartsTest):
    DATA = b"a,b,c,d\ne,f,g\n"

    def test_lists_and_ranges(self):
        for choice, keys in [("2", "bf"), ("-1", "dg"), ("-2", "cf"), ("2-3", "bcfg"), ("3-", "cdg"), ("1,3", "aceg"),
                             ("3,1", "cage"), ("2-9", "bcdfg"), ("-2-", "cdfg"), ("1--2", "abcef"), ("-3--2", "bcef"),
                             ("1,2-3", "abcefg"), ("1,1", "aaee")]:
            with self.subTest(choice):
                self.same_keys([k.encode() for k in keys], self.DATA, "--field", choice, "-d", ",")
                self.same_keys([k.encode() for k in keys], self.DATA, "--field=" + choice, "-d", ",", "--csv")

    def test_a_record_must_have_what_is_named(self):
        for choice, message in [("4", "line 2: has 3 fields, no field 4"), ("-4", "line 2: has 3 fields, no field -4"),
                                ("4-", "line 2: has 3 fields, no field 4"), ("1,4", "line 2: has 3 fields, no field 4"),
                                ("3--2", "line 2: has 3 fields, no field 3 to -2")]:
            self.bad(message, self.DATA, "--field", choice, "-d", ",")
        self.bad("line 1: has 0 fields, no field 1", b"  \t\n", "--field", "1", "--blanks")

    def test_a_line_counts_if_any_of_its_keys_may_be_there(self):
        self.build("f", "c", "f")
        self.seen("query", "f", "--field", "1-3", "-d", ",", stdin=self.DATA + b"x,y,z\n", out=self.DATA, err="")
        self.seen("query", "f", "--field", "1-3", "-d", ",", "-v", stdin=self.DATA + b"x,y,z\n", out=b"x,y,z\n", err="")
        self.seen("query", "f", "--field", "1-3", "-d", ",", "-c", stdin=self.DATA, out=b"2\n", err="")
        many = b" ".join(b"%d" % i for i in range(100_000))
        self.seen("query", "f", "--blanks", "--field", "1-", stdin=many + b"\n" + many + b" f\nz\n", out=many + b" f\n", err="")

    def test_separators(self):
        self.same_keys([b"b", b""], b"a::b::c\nx::::y\n", "--field", "2", "-d", "::")
        self.same_keys([b"b:c"], b"a::b:c::d\n", "--field", "2", "-d", "::")
        self.same_keys([b"b", b"d"], b"  a \t b\nc\td   e\n", "--field", "2", "--blanks")
        self.same_keys([b"e", b"d"], b" c\td   e  \nd\n", "--field", "-1", "--blanks")
        self.same_keys([b"b\nc", b"e"], b"a\x01b\nc\0d\x01e", "--field", "2", "-d", "\x01", "-0")

    def test_names(self):
        data = b"id,name,2\n1,ann,x\n2,bob,y\n"
        for choice, keys in [("name", ["ann", "bob"]), ("name,id", ["ann", "1", "bob", "2"]), ("2", ["x", "y"]),
                             ("1,name", ["1", "ann", "2", "bob"]), ("-3", ["1", "2"])]:
            for more in ([], ["--csv"]):
                self.same_keys([k.encode() for k in keys], data, "--header", "--field", choice, "-d", ",", *more)
        self.same_keys([b"1", b"2"], b'"a,b",c\n1,x\n2,y\n', "--header", "--csv", "--field", "a,b")
        self.write("other", b"name,id\ncarl,3\n")
        self.build("some", "ann", "carl")
        self.write("data", data)
        self.seen("query", "some", "-h", "--header", "--field", "name", "-d", ",", "-k", "data", "-k", "other",
                  out=b"1,ann,x\ncarl,3\n", err="")
        self.same_keys([b"b"], b"a\nb\n", "--header")
        self.bad('line 1: no field is called "mail"; there are id, name, 2', data, "--header", "--field", "mail", "-d", ",")
        self.bad('two fields are called "a"', b"a,a\n1,2\n", "--header", "--field", "a", "-d", ",")
        self.bad('"name" is not a list of fields: 2, 2-4, 1,3-5, 3-, -1 (the last); names need --header', b"", "--field", "name")

    def test_what_cannot_be_meant_is_refused(self):
        for message, *options in [
            ("fields are counted from 1", "--field", "0"), ('"3-2" ends before it begins', "--field", "3-2"),
            ('"" is not a list', "--field", "1,"), ("--csv: needs --field", "--csv"), ("--blanks: needs --field", "--blanks"),
            ("--csv: not together with --null", "--csv", "-0", "--field", "1"),
            ("--blanks: not together with --delimiter", "--blanks", "-d", ",", "--field", "1"),
            ("--json-key: not together with --field", "--json-key", ".a", "--field", "1"),
            ("--delimiter: has a meaning of its own in CSV", "--csv", "--field", "1", "-d", '"'),
            ("--delimiter: is what ends the lines", "--field", "1", "-d", "a\nb"),
            ("--width: not together with --null", "--width", "4", "-0"), ("--width: 0 is not from 1", "--width", "0"),
            ('no digest is called "crc"; there are sha1, md5, sha256', "--digest", "crc"),
        ]:
            self.bad(message, b"a\n", *options)


class Csv(PartsTest):
    def test_quotes(self):
        data = b'a,"b ""x"", \n,y",c\r\n"",d,"e"\n5" disk,"f",\n'
        self.same_keys([b'b "x", \n,y', b"d", b"f"], data, "--csv", "--field", "2")
        self.same_keys([b"c", b"e", b""], data, "--csv", "--field", "3")
        self.same_keys([b"a", b"", b'5" disk'], data, "--csv", "--field", "1")
        self.same_keys([b"b;"], b'a;"b;"', "--csv", "--field", "2", "-d", ";")

    def test_a_matching_record_is_printed_whole(self):
        self.build("one", b"x\ny".hex(), options=["--hex"])
        self.seen("query", "one", "--csv", "--field", "2", stdin=b'a,b\nc,"x\ny",\nd,e\n', out=b'c,"x\ny",\n', err="")

    def test_broken_quotes_are_bad_records(self):
        self.bad("record 2: field 2: a quote is not closed", b'a,b\nc,"d\ne,f\n', "--csv", "--field", "1")
        self.bad("record 1: field 1: something follows a closing quote", b'"a"b,c\n', "--csv", "--field", "2")
        self.same_keys([b"b", b"d"], b'a,b\n"x"y,c\nz,d\n', "--csv", "--field", "2", "--on-bad", "skip", "-q")

    def test_as_python_reads_it(self):
        rng = random.Random(4180)
        rows = [["".join(rng.choices('ab",\n; ', k=rng.choice([0, 1, 1, 2, 3, 9]))) for _ in range(3)] for _ in range(50_000)]
        for quoting, end in [(csv.QUOTE_MINIMAL, "\n"), (csv.QUOTE_ALL, "\r\n")]:
            text = io.StringIO()
            csv.writer(text, quoting=quoting, lineterminator=end).writerows(rows)
            data = text.getvalue().encode()
            found = self.keys_of(data, "--csv", "--field", "2", status=1)
            self.assertEqual([row["key"] for row in found], [row[1] for row in rows])


def at_path(document, path):
    """What a path leads to, or None where there is no key."""
    for step in path:
        if isinstance(step, str) and isinstance(document, dict) and step in document:
            document = document[step]
        elif isinstance(step, int) and isinstance(document, list) and step < len(document):
            document = document[step]
        else:
            return None
    return None if document is None or isinstance(document, (dict, list)) else document


class Json(PartsTest):
    def test_paths(self):
        data = b'{"user": {"id": "x7", "n": 12.50}, "tags": ["a", true], "items": [{"id": 1}, {"id": "two"}], "odd.name": "o"}\n'
        for path, keys in [(".user.id", ["x7"]), (".user.n", ["12.50"]), (".tags[0]", ["a"]), (".tags[1]", ["true"]),
                           (".items[].id", ["1", "two"]), (".tags[]", ["a", "true"]), ('."odd.name"', ["o"]),
                           ('."odd\\u002ename"', ["o"])]:
            self.same_keys([k.encode() for k in keys], data, "--json-key", path)
        self.same_keys([b"a", b"1", b"\n"], b'"a"\n 1\r\n"\\n"', "--json-key", ".")
        self.same_keys([b"b"], b'[{"a":\n"b"}]\0', "--json-key", ".[0].a", "-0")
        self.same_keys([b"2"], b'{"a":1,"a":{},"a":2}', "--json-key", ".a")

    def test_strings(self):
        self.same_keys(['é😀"\\/\b\f\n\r\t\0'.encode()], rb'"\u00e9\ud83d\ude00\"\\\/\b\f\n\r\t\u0000"', "--json-key", ".")
        self.same_keys(["éé".encode()], '{"\\u0069d": "é\\u00E9"}'.encode(), "--json-key", ".id")

    def test_what_is_no_key(self):
        for path, message in [(".a", ".a is an object, not a key"), (".b", ".b is an array, not a key"), (".c", ".c is null"),
                              (".d", "has no .d"), (".b[1]", "has no .b[1]"), (".a.x.y", "has no .a.x.y"),
                              (".b[].z", "has no .b[].z"), (".e[]", "has no .e[]"), (".", ". is an object, not a key")]:
            self.bad("line 1: " + message, b'{"a": {"x": 1}, "b": [{"y": 1}], "c": null, "e": []}', "--json-key", path)

    def test_what_is_no_document(self):
        for text in ["", "{", "[1,]", '{"a":1,}', '{"a"}', "{a:1}", "01", "1.", "-", "1e", "+1", "nul", "NaN", "'a'", '"', '"a', '"\\x"',
                     '"\\u12"', '"\\ud800"', '"\\udc00"', '"\\ud800\\u0041"', '"\t"', "1 2", "[1}", '{"a":1]', "]", '"a" x', "[" * 2000]:
            self.bad("line 1: is no JSON: character ", text.encode() + b"\n", "--json-key", ".")

    def test_what_is_no_path(self):
        for path in ["id", ".a..b", ".a[x]", ".a[", '."a', ".a]b[", ".a[-1]", ".[0]x"]:
            self.bad("--json-key: ", b"{}", "--json-key", path)

    def test_hostile_depth_and_length(self):
        deep = b'{"a":' + b"[" * 1000 + b"]" * 1000 + b',"k":"x"}'
        self.same_keys([b"x"], deep, "--json-key", ".k")
        self.bad("nested too deeply", b'{"a":' + b"[" * 10_000_000, "--json-key", ".k")
        long = b"x" * 20_000_000
        self.same_keys([long], b'{"k":"' + long + b'"}', "--json-key", ".k")
        self.bad("a string does not end", b'{"k":"' + long, "--json-key", ".k")

    def test_as_python_reads_it(self):
        rng = random.Random(8259)

        def value(depth):
            kind = rng.randrange(9 if depth else 6)
            if kind < 2:
                return "".join(rng.choices('ab"\\/\n\t\x01é😀\u2028', k=rng.randrange(12)))
            if kind < 6:
                return [rng.randrange(-10**9, 10**9), rng.choice([True, False]), None, rng.choice(["", "0"])][kind - 2]
            if kind == 6:
                return [value(depth - 1) for _ in range(rng.randrange(3))]
            return {rng.choice(["a", "b", "é", 'q"']): value(depth - 1) for _ in range(rng.randrange(4))}

        path = ["a", "b"]
        written, expected = [], []
        for i in range(100_000):
            document = {"a": {"b": value(1), "c": value(1)}, "d": value(2)} if i % 3 else value(3)
            text = json.dumps(document, ensure_ascii=i % 2 == 0, separators=rng.choice([(",", ":"), (" , ", " : ")]))
            if rng.randrange(3) == 0:  # broken somewhere, perhaps
                at = rng.randrange(len(text))
                text = text[:at] + rng.choice(["", '"', "\\", "}", "]", ",", "1", "x"]) + text[at + 1:]
            try:
                document = json.loads(text, parse_int=str, parse_float=str, parse_constant=lambda _: 1 / 0)
                json.dumps(document, ensure_ascii=False).encode()  # half of a surrogate pair is no text
                key = at_path(document, path)
            except (ValueError, ZeroDivisionError, RecursionError):
                key = None
            written.append(text)
            if key is not None:
                expected.append({True: "true", False: "false"}[key] if isinstance(key, bool) else key)
        found = self.keys_of("\n".join(written).encode(), "--json-key", ".a.b", "--on-bad", "skip", "-s", status=1)
        self.assertEqual([row["key"] for row in found], expected)
        self.assertGreater(len(expected), 20_000)


class Binary(PartsTest):
    def test_records_of_a_width(self):
        data = bytes(range(256)) * 1000
        keys = [data[i:i + 20] for i in range(0, len(data), 20)]
        self.same_keys(keys, data, "--width", "20")
        self.build("one", keys[3].hex(), options=["--hex"])
        self.seen("query", "one", "--width", "20", stdin=b"".join(keys[:5]), out=keys[3], err="")
        self.seen("query", "one", "--width", "20", "-v", stdin=b"".join(keys[:5]), out=b"".join(keys[:3] + keys[4:5]), err="")
        self.bad("record 3: has 1 byte, not 2", b"aabbc", "--width", "2")
        self.same_keys([b"5", b"67"], b"5 67", "--width", "2", "--trim")

    def test_digests(self):
        texts = [bytes([97 + n % 26]) * n for n in range(140)]  # every length of padding
        for name in ("sha1", "md5", "sha256"):
            self.same_keys([hashlib.new(name, t).digest() for t in texts], lines(*texts), "--digest", name)
        self.same_keys([hashlib.sha1(b"abc").digest()], b" ABC \r\n", "--digest", "sha1", "--trim", "--lower")
        self.same_keys([hashlib.md5(b"\x00\xff").digest()], b"00ff\n", "--digest", "md5", "--hex")

    def test_hexadecimal_of_every_length(self):
        rng = random.Random(16)
        keys = [rng.randbytes(n) for n in range(70)]
        self.same_keys(keys, lines(*(k.hex() for k in keys)), "--hex")
        self.same_keys(keys, lines(*(k.hex().upper() for k in keys)), "--hex")
        for digits in (2, 14, 16, 18, 32, 40, 62, 64, 66):
            for at in {0, digits // 2, digits - 1}:
                for wrong in b"/:@G`g\x00\xb0\xff":
                    text = bytearray(b"0" * digits)
                    text[at] = wrong
                    self.write("data", bytes(text) + b"\n")
                    done = self.run_seen("build", "-n", "1", "-f", "-o", "g", "--hex", "data")
                    self.assertIn(f"character {at + 1} is not a hexadecimal digit", done.err)


if __name__ == "__main__":
    main()
