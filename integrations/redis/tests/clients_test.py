"""redis-py's bf() and cf(), written for RedisBloom, against this module and against `seen serve`, in both protocols, without a change."""

import packaged

packaged.enter()

import case
import redis
from case import Case


class RedisPy(Case):
    def in_each_protocol(self, check):
        for protocol in (2, 3):
            case.forget_all(self.r)
            with self.subTest(protocol=protocol), redis.Redis(unix_socket_path=self.server.path, protocol=protocol) as client:
                check(client)

    def told(self, info, **names):
        """Numbers of an info: redis-py has a map in RESP3, and attributes of names of its own in RESP2."""
        if isinstance(info, dict):
            return [info[name.encode()] for name in names.values()]
        return [getattr(info, name) for name in names]

    def load(self, of, key, chunks):
        for chunk in chunks:
            self.assertTrue(of.loadchunk(key, *chunk))

    def dump(self, of, key):
        chunks, iterator = [], 0
        while True:
            iterator, data = of.scandump(key, iterator)
            if iterator == 0:
                return chunks
            chunks.append((iterator, data))

    def test_bf(self):
        self.in_each_protocol(self.bf)

    def test_cf(self):
        self.in_each_protocol(self.cf)

    def bf(self, client):
        bf = client.bf()
        self.assertTrue(bf.create("f", 0.001, 1000))
        self.assertTrue(bf.reserve("grows", 0.01, 10, expansion=4))
        self.assertTrue(bf.reserve("fixed", 0.01, 10, noScale=True))
        with self.assertRaisesRegex(redis.ResponseError, "item exists"):
            bf.create("f", 0.001, 1000)
        self.assertEqual((bf.add("f", "a"), bf.add("f", "a")), (1, 0))
        self.assertEqual(bf.madd("f", "a", "b", "c"), [0, 1, 1])
        self.assertEqual(bf.insert("f", ["c", "d"], noCreate=True), [0, 1])
        self.assertEqual(bf.insert("g", ["x"], capacity=500, error=0.01, expansion=2), [1])
        with self.assertRaisesRegex(redis.ResponseError, "not found"):
            bf.insert("nobody", ["x"], noCreate=True)
        self.assertEqual((bf.exists("f", "d"), bf.exists("f", "e"), bf.exists("nobody", "e")), (1, 0, 0))
        self.assertEqual(bf.mexists("f", "a", "e", "b"), [1, 0, 1])
        self.assertEqual((bf.card("f"), bf.card("nobody")), (4, 0))
        names = {"capacity": "Capacity", "insertedNum": "Number of items inserted", "filterNum": "Number of filters"}
        self.assertEqual(self.told(bf.info("f"), **names), [1000, 4, 1])
        bf.madd("grows", *range(200))
        self.load(bf, "copy", self.dump(bf, "grows"))
        self.assertEqual((bf.mexists("copy", *range(200)), bf.card("copy")), ([1] * 200, bf.card("grows")))
        with client.pipeline(transaction=False) as pipe:
            for i in range(100):
                pipe.execute_command("BF.ADD", "f", i)
            self.assertEqual(len(pipe.execute()), 100)

    def cf(self, client):
        cf = client.cf()
        self.assertTrue(cf.create("c", 1000))
        self.assertTrue(cf.reserve("d", 1000, bucket_size=4, max_iterations=30, expansion=2))
        self.assertEqual((cf.add("c", "a"), cf.addnx("c", "a"), cf.addnx("c", "b")), (1, 0, 1))
        self.assertEqual(cf.insert("c", ["x", "y"]), [1, 1])
        self.assertEqual(cf.insertnx("c", ["x", "z"], capacity=100, nocreate=True), [0, 1])
        self.assertEqual((cf.exists("c", "x"), cf.exists("c", "nothing"), cf.mexists("c", "a", "nothing")), (1, 0, [1, 0]))
        cf.add("c", "a")
        self.assertEqual((cf.count("c", "a"), cf.delete("c", "a"), cf.count("c", "a"), cf.delete("c", "nothing")), (2, 1, 1, 0))
        self.assertEqual(self.told(cf.info("c"), insertedNum="Number of items inserted", deletedNum="Number of items deleted"), [5, 1])
        self.load(cf, "copy", self.dump(cf, "c"))
        self.assertEqual(cf.mexists("copy", "a", "b", "x", "y", "z"), [1] * 5)


if __name__ == "__main__":
    case.run()
