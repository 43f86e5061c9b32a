"""What the tests of `seen redis` have in common. SEEN is the command, and SEEN_REDIS the module."""

import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../tests/cli"))
import resp  # noqa: E402
from support import SEEN, CommandTest, lines  # noqa: E402

MODULE = os.environ.get("SEEN_REDIS")


class RedisTest(CommandTest):
    """`self.url` is the server."""

    def redis(self, action, *args, **more):
        return self.seen("redis", action, "--url", self.url, "--retry", "20", *args, **more)

    def denies(self, message, action, *args, **more):
        """An error in one line, and nothing in the directory has changed."""
        return self.refuses(message, "redis", action, "--url", self.url, "--retry", "1", *args, **more)

    def reserve(self, name, *options, n=1000, p="1e-6"):
        self.redis("reserve", name, "-q", "-n", n, "-p", p, *options, out=b"", err="")

    def add(self, name, *keys):
        self.redis("add", name, "-q", stdin=lines(*keys), out=b"", err="")

    def count(self, name, *keys):
        return int(self.run_seen("redis", "query", "--url", self.url, "-c", name, stdin=lines(*keys)).out)


def run(against="redis-server"):
    """Skips what cannot be run here; `against` is None where the test is its own server."""
    if against and not resp.find_server():
        print("skipped: there is no redis-server")
        sys.exit(77)
    if b"without hiredis" in subprocess.run([SEEN, "redis", "info", "x"], capture_output=True, check=False).stderr:
        print("skipped: the command is built without hiredis")
        sys.exit(77)
    unittest.main()
