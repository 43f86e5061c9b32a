"""seen info: everything there is to say about a file, for people and for programs."""

import json
import os

from support import CommandTest, lines, main


class Info(CommandTest):
    def test_json_says_everything(self):
        keys = range(1000)
        self.build("f", *keys, options=("--kind", "bloom", "--seed", "7", "--metadata", "made by hand"))
        info = self.info("f")
        self.assertEqual(list(info), ["file", "file_bytes", "format", "recognised", "variant", "verified", "sealed", "kind", "shape", "bytes",
                                      "huge_page_bytes",
                                      "keys", "keys_exact", "counted", "bits_per_key", "fill", "saturated", "fpr_now",
                                      "fpr_at_capacity", "target", "health", "hash", "assumed_hash", "key_form", "assumed_key_type", "clock", "metadata"])
        self.assertEqual(info["file"], "f")
        self.assertEqual(info["file_bytes"], os.path.getsize(self.path("f")))
        self.assertEqual(info["format"], "native")
        self.assertIs(info["verified"], True)
        self.assertIs(info["sealed"], True)
        self.assertEqual(info["kind"], "bloom")
        self.assertEqual(info["shape"], {"bits": 9586, "probes": 7})
        self.assertEqual(info["bytes"], 1216)  # 9586 bits in whole cache lines
        self.assertEqual(info["huge_page_bytes"], 0)
        self.assertAlmostEqual(info["keys"], 1000, delta=60)
        self.assertEqual((type(info["keys"]), type(info["health"]["most_keys"])), (int, int))
        self.assertIs(info["keys_exact"], False)
        # `keys` is rounded to a whole number, which is up to half a key.
        self.assertTrue(8 * 1216 / (info["keys"] + 0.5) <= info["bits_per_key"] <= 8 * 1216 / (info["keys"] - 0.5))
        self.assertAlmostEqual(info["fpr_now"], info["fill"] ** 7)
        self.assertIs(info["saturated"], False)
        self.assertAlmostEqual(info["fpr_at_capacity"], 0.01, delta=0.0002)
        self.assertEqual(info["target"], {"capacity": 1000, "fpr": 0.01})
        self.assertEqual({k: info["hash"][k] for k in ("name", "seed", "keyed", "secret_stored")},
                         {"name": "xxh3-fold", "seed": "7", "keyed": False, "secret_stored": False})
        self.assertRegex(info["hash"]["check"], r"\A[0-9a-f]{16}\Z")
        self.assertEqual(info["metadata"], "made by hand")

    def test_a_seed_of_64_bits_loses_no_digit(self):
        self.build("f", "x", options=("--seed", "0xfedcba9876543211"))
        self.assertEqual(self.info("f")["hash"]["seed"], str(0xfedcba9876543211))

    def test_people_get_a_picture(self):
        self.build("f", *range(1000), options=("--kind", "bloom", "--metadata", "a \x1b[31mtrap\n"))
        text = self.seen("info", "f", err="").out.decode()
        self.assertRegex(text, r"""\Af
  kind      bloom, 9,586 bits, 7 probes
  keys      about \S+ of 1,000 planned
  size      1\.19 KiB, \d+\.\d\d bits per key
  pages     small
  fill      \[#{18,22}\.{18,22}\] 5\d\.\d %
  rate      \S+ now, 0\.01 at capacity, 0\.01 asked
  hash      xxh3-fold seed 0
  file      native, [\d,]+ bytes, verified: every checksum matches
  metadata  "a \\x1b\[31mtrap\\x0a"
\Z""")

    def test_it_says_which_pages_the_memory_has(self):
        self.build("f", "x", options=("-n", "20000000", "-p", "0.01"))
        with open("/sys/kernel/mm/transparent_hugepage/enabled") as f:
            given = "[never]" not in f.read()
        info = self.info("f", "--deep")
        self.assertLessEqual(info["huge_page_bytes"], info["bytes"])
        if given:  # a system that is short of memory may give fewer
            self.assertGreater(info["huge_page_bytes"], 0)
            self.assertRegex(self.seen("info", "--deep", "f", err="").out.decode(), r"(?m)^  pages     huge")

    def test_a_keyed_file_needs_no_key(self):
        self.build("f", "x", options=("--hash", "siphash-2-4", "--new-secret", "key"))
        self.assertEqual(self.info("f")["hash"]["keyed"], True)
        self.assertIn(b"siphash-2-4 keyed\n", self.seen("info", "f", err="").out)
        self.build("g", "x", options=("--hash", "siphash-2-4", "--secret-file", "key", "--store-secret"))
        self.assertIn(b"its secret is in the file", self.seen("info", "g", err="").out)

    def test_a_format_without_checksums_is_unverified(self):
        self.build("f", "x", options=("--format", "portable"))
        info = self.info("f", "--format", "portable")
        self.assertEqual((info["format"], info["verified"], info["sealed"]), ("portable", False, True))
        self.assertIn(b", unverified: ", self.seen("info", "f", "--format", "portable", err="").out)

    def test_an_unsealed_file_says_so(self):
        self.build("f", "x")
        self.write("f", self.read("f").replace(b"sealed!\n", b"unsealed"))
        info = self.info("f")
        self.assertEqual((info["verified"], info["sealed"]), (False, False))
        self.assertIn(b", unsealed: ", self.seen("info", "f", err="").out)

    def test_a_full_filter_has_too_many_keys_to_tell(self):
        self.build("f", *range(100), options=("--kind", "bloom", "--bits", "8", "--probes", "3"))
        info = self.info("f")
        self.assertEqual((info["keys"], info["fill"], info["fpr_now"], info["saturated"]), (None, 1, 1, True))
        self.assertEqual((info["target"], info["fpr_at_capacity"]), (None, None))
        self.assertIn(b"too many to tell\n", self.seen("info", "f", err="").out)

    def test_an_empty_filter(self):
        self.build("f")
        info = self.info("f")
        self.assertEqual((info["keys"], info["fill"], info["fpr_now"], info["bits_per_key"]), (0, 0, 0, None))

    def test_many_files(self):
        for name in "a", "b":
            self.build(name, 1, 2)
        self.write("text", b"hello")
        alone = [self.seen("info", name).out for name in ("a", "b")]
        self.seen("info", "a", "b", out=alone[0] + b"\n" + alone[1], err="")
        self.seen("info", "a", "text", "b", status=2, out=alone[0] + b"\n" + alone[1], err="seen: text: not a filter.*\n")
        rows = self.seen("info", "--json", "a", "b", err="").out.splitlines()
        self.assertEqual([json.loads(row)["file"] for row in rows], ["a", "b"])
        self.build("full", *range(1000), options=("-n", "10"))
        self.seen("info", "--alert", "a", "full", "b", status=1, out=b"")
        self.seen("info", "--alert", "none", "full", "b", status=2, out=b"")

    def test_refusals(self):
        self.write("text", b"hello")
        self.refuses("none: open: No such file", "info", "none")
        self.refuses("text: not a filter", "info", "text", "--json")
        self.refuses("FILTER is required: seen info ", "info")
        self.build("f", *range(100))
        whole = self.read("f")
        self.write("f", whole[:250] + bytes([whole[250] ^ 1]) + whole[251:])
        self.refuses("f: offset", "info", "f")


if __name__ == "__main__":
    main()
