"""What the tests of a filter over a cluster, by the Python package, have in common: a cluster of their own, and work that goes on meanwhile."""

import packaged

packaged.enter()

import contextlib
import tempfile
import threading
import unittest
from unittest import mock

import redis
from case import MODULE
from cluster import Cluster


class OnCluster(unittest.TestCase):
    """Tests of one cluster, which begin without keys. It stays for the next class."""

    # Every command is in the log's file before it is replied to; a server that is killed needs no more than that.
    replicas, timeout, options = 0, 5000, ("--appendonly", "yes", "--appendfsync", "no")
    clusters = {}

    @classmethod
    def setUpClass(cls):
        if cls.replicas not in cls.clusters:
            cls.clusters[cls.replicas] = Cluster(MODULE, replicas=cls.replicas, timeout=cls.timeout, options=cls.options)
            unittest.addModuleCleanup(cls.clusters[cls.replicas].end)
        cls.cluster = cls.clusters[cls.replicas]
        cls.client = cls.connect()

    @classmethod
    def connect(cls, **how):
        client = redis.RedisCluster(host="127.0.0.1", port=cls.cluster.nodes[0].port, **how)
        cls.addClassCleanup(client.close)
        return client

    def setUp(self):
        for node in self.cluster.primaries():
            node.told("FLUSHALL")
        folder = tempfile.TemporaryDirectory(prefix="seen-cluster-test-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def tearDown(self):
        for node in self.cluster.nodes:
            self.assertTrue(node.is_alive(), node.log()[-3000:])

    def owner(self, key):
        return self.cluster.owner(self.cluster.slot(key))

    def keys(self):
        """All keys of the cluster."""
        return sorted(key.decode() for node in self.cluster.primaries() for key in node.told("KEYS", "*"))

    @contextlib.contextmanager
    def meanwhile(self, work):
        """Calls work(n) for n = 0, 1, … in a thread, twice at least, until the block ends; what it raises is raised here."""
        raised, turns, ended = [], threading.Semaphore(0), threading.Event()

        def run():
            n = 0
            try:
                while not ended.is_set() or n < 2:
                    work(n)
                    n += 1
                    turns.release()
            except BaseException as e:
                raised.append(e)
                turns.release(1000)

        thread = threading.Thread(target=run)
        thread.start()
        try:
            yield turns
        finally:
            ended.set()
            thread.join()
        if raised:
            raise raised[0]


@contextlib.contextmanager
def lost(call, n):
    """The n-th call of a connection breaks it, what redis-py asks by itself not counted."""
    real, left = getattr(redis.connection.Connection, call), [n]

    def break_it(connection, *words, **named):
        counts = "disable_decoding" in named if call == "read_response" else isinstance(words[0], list) and b"CLIENT" not in words[0][0]
        left[0] -= counts
        reply = real(connection, *words, **named) if call == "read_response" or not counts or left[0] else None
        if counts and left[0] == 0:
            connection.disconnect()
            raise redis.ConnectionError("lost")
        return reply

    with mock.patch.object(redis.connection.Connection, call, break_it):
        yield
