"""One filter over a cluster, by the Python package: to a folder and back, and what the command makes of both.

SEEN is the command, whose filters are the same ones."""

import packaged

packaged.enter()

import json
import os
import subprocess
from unittest import mock

import case
import seenfilter as seen
from on_cluster import OnCluster, lost
from seenfilter.redis import ClusterFilter, FilterExists, _layout, _pipeline


class Dumps(OnCluster):
    def test_what_was_dumped_comes_back(self):
        for options in ("", "NONSCALING", "KIND bloom", "KIND redisbloom", "WINDOW 3600"):
            with self.subTest(options):
                f = ClusterFilter.reserve(self.client, "f" + options, 2000, 1e-6, options=options)
                f.add_many(range(5000 if not options else 1500))
                path = os.path.join(self.folder, "f" + options)
                f.dump(path)
                self.assertEqual(sorted(os.listdir(path)), ["cluster.json", *(f"part-{i:05}.{'chunks' if 'redisbloom' in options else 'seen'}" for i in range(9))])
                self.assertEqual(len(os.listdir(self.folder)), 1)
                g = ClusterFilter.load(self.client, path, "g" + options)
                self.assertEqual((len(g), g.may_contain_many(range(10_000)).sum()), (len(f), f.may_contain_many(range(10_000)).sum()))
                self.assertEqual([(part.items, part.bytes) for part in g.info().parts], [(part.items, part.bytes) for part in f.info().parts])
                f.add_many(range(20_000, 20_100))
                g.add_many(range(20_000, 20_100))
                self.assertTrue(g.may_contain_many(range(20_000, 20_100)).all())
                with self.assertRaisesRegex(seen.FileExists, "is there already"):
                    f.dump(path)
                with self.assertRaisesRegex(FilterExists, "f.* is there already"):
                    ClusterFilter.load(self.client, path)
                f.delete()
                self.assertEqual(ClusterFilter.load(self.client, path).name, "f" + options)
                for each in ("f", "g"):
                    ClusterFilter.open(self.client, each + options).delete()
                for file in os.listdir(path):
                    os.unlink(os.path.join(path, file))
                os.rmdir(path)

    def test_keyed_filters(self):
        f = ClusterFilter.reserve(self.client, "f", 2000, 1e-6, options="KEYED")
        f.add_many(range(1000))
        with self.assertRaisesRegex(seen.SecretRequired, "with_secret=True"):
            f.dump(self.folder + "/f")
        f.dump(self.folder + "/f", with_secret=True)
        g = ClusterFilter.load(self.client, self.folder + "/f", "g")
        g.add("x")
        self.assertEqual((g.may_contain_many(range(2000)).sum(), "x" in g), (1000, True))
        g.merge(f)
        f.merge(g)
        self.assertIn("x", f)
        other = ClusterFilter.reserve(self.client, "other", 2000, 1e-6, options="KEYED")
        with self.assertRaisesRegex(seen.Incompatible, "merge: f: part 0 of 9 .*hashes differ"):
            f.merge(other)

    def test_a_part_is_a_file_like_any_other(self):
        f = ClusterFilter.reserve(self.client, "f", 2000, 1e-6, options="KIND bloom")
        f.add_many(range(2000))
        f.dump(self.folder + "/f")
        for i in range(f.parts):
            part = seen.load(f"{self.folder}/f/part-{i:05}.seen")
            for key in range(2000):
                home = seen.digest(key, hash="xxh3-64", seed=_layout.SEED) * 9 >> 64
                if home == i:
                    self.assertIn(key, part)

    def test_dumps_that_are_broken_make_nothing(self):
        f = ClusterFilter.reserve(self.client, "f", 2000, 0.01)
        f.add_many(range(1000))
        path = self.folder + "/f"
        f.dump(path)
        with open(path + "/cluster.json", encoding="utf-8") as file:
            good = json.load(file)
        with open(path + "/part-00003.seen", "rb") as file:
            part = file.read()
        f.delete()

        def lie(change):
            told = json.loads(json.dumps(good))
            change(told)
            with open(path + "/cluster.json", "w", encoding="utf-8") as file:
                json.dump(told, file)

        def part_is(data):
            with open(path + "/part-00003.seen", "wb") as file:
                file.write(data)

        flipped = part[:200] + bytes([part[200] ^ 1]) + part[201:]
        for change, kind, says in (
            (lambda d: d.clear(), seen.CorruptFile, "not the list of a dump"),
            (lambda d: d.update(record=7), seen.CorruptFile, "not the list of a dump"),
            (lambda d: d.update(parts=7), seen.CorruptFile, "not the list of a dump"),
            (lambda d: d.update(format="seen-cluster-dump-2"), seen.NewerVersion, "'seen-cluster-dump-2', and this release knows 'seen-cluster-dump-1'"),
            (lambda d: d["parts"][3].update(ends=[5, 4]), seen.CorruptFile, "the ends of part-00003.seen do not lead to its end"),
            (lambda d: d["parts"][3].update(ends=[5]), seen.CorruptFile, "the ends of part-00003.seen do not lead to its end"),
            (lambda d: d.pop("name"), seen.InvalidArgument, "does not say a name"),
            (lambda d: d["record"].update(format="seen-cluster-2"), seen.NewerVersion, "seen-cluster-2"),
            (lambda d: d["record"].update(parts="8"), seen.CorruptFile, "lists 9 files, and the record says 8 parts"),
            (lambda d: d["parts"][3].update(name="../f/part-00003.seen"), seen.CorruptFile, "not a file of this folder"),
            (lambda d: d["parts"][3].update(name="nothing"), FileNotFoundError, "nothing"),
            (lambda d: d["parts"][3].update(bytes=7), seen.CorruptFile, "part-00003.seen: has .* bytes, and cluster.json says 7"),
            (lambda d: d["parts"][3].update(xxh3="0" * 16), seen.CorruptFile, "its XXH3 is .*, and cluster.json says 0000000000000000"),
            (lambda d: d["parts"][3].update(head="zz"), seen.CorruptFile, "not the list of a dump"),
            (lambda d: d["parts"][3].update(name="a\0b"), seen.CorruptFile, "not a file of this folder"),
            (lambda d: d["parts"][3].update(name=".."), seen.CorruptFile, "not a file of this folder"),
            (lambda d: d["parts"][3].update(name="\ud800"), seen.CorruptFile, "not the list of a dump"),
            (lambda d: d["parts"][3].update(bytes=float("inf")), seen.CorruptFile, "not the list of a dump"),
            (lambda d: d.update(name=7), seen.CorruptFile, "not the list of a dump: TypeError: name: a text is wanted, not int"),
            (lambda d: d["record"].update(options=["KEYED"]), seen.CorruptFile, "not the list of a dump: TypeError: options: a text is wanted, not list"),
            (lambda d: d["record"].update(error=0.01), seen.CorruptFile, "not the list of a dump"),
            (lambda d: d["parts"][3].update(head="00"), seen.CorruptFile, "part-00003.seen: .* does not take it for part 3 of 9"),
            (lambda d: d["parts"][3].update(head=good["parts"][3]["head"][:-2] + "ff"), seen.CorruptFile, "does not take it"),
            (lambda d: part_is(flipped), seen.CorruptFile, "its XXH3 is"),
            (lambda d: d["parts"][3].update(xxh3=f"{seen.digest(flipped, hash='xxh3-64'):016x}"), seen.CorruptFile, "does not take it for part 3"),
            (lambda d: part_is(part[:-1]), seen.CorruptFile, "bytes, and cluster.json says"),
        ):  # fmt: skip
            with self.subTest(says):
                lie(change)
                with self.assertRaisesRegex(kind, says):
                    ClusterFilter.load(self.client, path)
                self.assertEqual(self.keys(), [])
        with open(path + "/cluster.json", "w", encoding="utf-8") as file:
            file.write("[" * 100_000)
        with self.assertRaisesRegex(seen.CorruptFile, "not the list of a dump: RecursionError"):
            ClusterFilter.load(self.client, path)
        with open(path + "/cluster.json", "wb") as file:
            file.truncate((1 << 26) + 1)
        with self.assertRaisesRegex(seen.TooLarge, "67108865 bytes, and no list has more than 67108864"):
            ClusterFilter.load(self.client, path)
        lie(lambda d: None)
        os.remove(path + "/part-00003.seen")
        os.mkfifo(path + "/part-00003.seen")
        with self.assertRaisesRegex(seen.CorruptFile, "part-00003.seen: is no regular file"):
            ClusterFilter.load(self.client, path)
        os.remove(path + "/part-00003.seen")
        self.assertEqual(self.keys(), [])
        part_is(part)
        with self.assertRaises(seen.errors.FileNotFoundError):
            ClusterFilter.load(self.client, self.folder + "/nobody")
        with self.assertRaises(seen.errors.FileNotFoundError):
            f = ClusterFilter.load(self.client, path)
            f.dump(self.folder + "/no/such/folder")

    def test_a_load_that_was_killed_can_be_done_again(self):
        f = ClusterFilter.reserve(self.client, "f", 2000, 0.01)
        f.add_many(range(1000))
        f.dump(self.folder + "/f")
        with open(self.folder + "/f/cluster.json", encoding="utf-8") as file:
            head = bytes.fromhex(json.load(file)["parts"][2]["head"])
        key = f.info().parts[2].key
        f.delete()
        self.owner(key).told("BF.LOADCHUNK", key, 1, head)
        self.assertTrue(ClusterFilter.load(self.client, self.folder + "/f").may_contain_many(range(1000)).all())

    def test_a_part_that_changes_between_its_chunks_is_read_again(self):
        f = ClusterFilter.reserve(self.client, "f", 2**25, 0.01, parts=1)  # two chunks and more
        run, commands, late = _pipeline.Pipeline.run, [], iter(range(2))

        def run_and_change(pipeline, units, **how):
            units = list(units)
            commands.extend(unit.commands[0] for unit in units)
            run(pipeline, units, **how)
            first_chunk = len(commands) > 1 and b"BF.SCANDUMP" in commands[-2] and commands[-2].endswith(b"\r\n0\r\n")
            if first_chunk and (added := next(late, None)) is not None:
                self.client.execute_command("BF.ADD", f._record.keys[0], added.to_bytes(8, "little"))

        with mock.patch.object(_pipeline.Pipeline, "run", run_and_change):
            f.dump(self.folder + "/f")
        self.assertEqual(sum(b"BF.CARD" in command for command in commands), 6)  # before and after, three times
        g = ClusterFilter.load(self.client, self.folder + "/f", "g")
        self.assertTrue(g.may_contain_many(range(2)).all())

    def test_commands_and_replies_that_are_lost(self):
        """The connection breaks before a command is sent, or after it was carried out: it is sent again, or, where that would not do, all
        that came before it, too."""
        f = ClusterFilter.reserve(self.client, "f", 2**24, 0.01, parts=1, options="NONSCALING")
        f.add_many(range(1000))
        f.dump(self.folder + "/f")
        # Of load: the look at what is there, the first chunk, the second, the last.
        for call, places in (("read_response", (1, 4, 5, 6)), ("send_packed_command", (1, 5))):
            for n in places:
                with self.subTest(call=call, n=n):
                    with lost(call, n):
                        g = ClusterFilter.load(self.client, self.folder + "/f", f"g{n}")
                    h = ClusterFilter.reserve(self.client, f"h{n}", 1000, 1e-6)
                    with lost(call, n):
                        h.add_many(range(5000))
                    with lost(call, n):
                        self.assertEqual(h.may_contain_many(range(10_000)).sum(), 5000)
                    with lost(call, 1):
                        self.assertEqual(h.test_and_add("new"), call == "read_response")  # added twice
                    self.assertEqual((len(g), len(h)), (len(f), 5001))
                    g.delete()
                    h.delete()


class Command(OnCluster):
    """`seen redis` and this package have one layout, and one form of dumps."""

    def setUp(self):
        super().setUp()
        self.command = os.environ.get("SEEN")
        if not self.command:
            self.skipTest("SEEN does not name the command")

    def seen(self, *words, text=""):
        words = [self.command, "redis", *words, "--url", f"redis://127.0.0.1:{self.cluster.nodes[1].port}"]
        return subprocess.run(words, input=text, capture_output=True, text=True, check=True).stdout

    def test_each_uses_the_filters_of_the_other(self):
        f = ClusterFilter.reserve(self.client, "f", 1000, 1e-6)
        self.seen("add", "f", text="alice\nbob\n")
        self.assertEqual(f.may_contain_many(["alice", "bob", "carol"]).tolist(), [True, True, False])
        f.add("carol")
        self.assertEqual(self.seen("query", "f", text="dave\ncarol\n"), "carol\n")
        self.seen("reserve", "g", "-n", "1000", "-p", "1e-6")
        g = ClusterFilter.open(self.client, "g")
        self.assertEqual((g.capacity, g.fpr, self.client.hgetall("g")), (1000, 1e-6, {**self.client.hgetall("f"), b"error": self.client.hget("g", "error")}))
        self.assertEqual([part.key.replace("g", "f") for part in g.info().parts], [part.key for part in f.info().parts])

    def test_each_loads_the_dumps_of_the_other(self):
        for options in ("", "NONSCALING", "KEYED", "KIND redisbloom"):
            with self.subTest(options):
                f = ClusterFilter.reserve(self.client, "f" + options, 2000, 1e-6, options=options)
                f.add_many(f"key-{i}" for i in range(1500))
                ours, theirs = f"{self.folder}/ours{options}", f"{self.folder}/theirs{options}"
                f.dump(ours, with_secret=options == "KEYED")
                self.seen("dump", f.name, "-o", theirs, *(["--with-secret"] if options == "KEYED" else []))
                self.assertEqual(sorted(os.listdir(ours)), sorted(os.listdir(theirs)))
                for part in sorted(os.listdir(ours))[1:]:
                    with open(f"{ours}/{part}", "rb") as a, open(f"{theirs}/{part}", "rb") as b:
                        self.assertEqual(a.read(), b.read())
                self.seen("load", "a" + options, ours)
                a, b = ClusterFilter.open(self.client, "a" + options), ClusterFilter.load(self.client, theirs, "b" + options)
                for each in (a, b):
                    self.assertEqual((len(each), each.may_contain_many(f"key-{i}" for i in range(3000)).tolist()), (len(f), [i < 1500 for i in range(3000)]))
                    each.add("more")
                    self.assertIn("more", each)


if __name__ == "__main__":
    case.run()
