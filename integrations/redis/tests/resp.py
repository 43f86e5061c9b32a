"""A client that speaks RESP2 and RESP3 as it comes, and servers that a test starts and ends.

    with Server(module, *options) as server:          # its socket is in a folder of its own; nothing listens on a network
        c = server.connect()
        c("BF.ADD", "key", "item")                    # 1, or an Error, which is returned and not raised

A reply keeps its type: 1 and True differ, and so do b"OK" and Status("OK"), [..] and {..}."""

import ctypes
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time


class Error(Exception):
    """An error of the server: its line, without the minus."""

    def __eq__(self, other):
        return isinstance(other, Error) and str(self) == str(other)

    def __hash__(self):
        return hash(str(self))

    def __repr__(self):
        return f"Error({str(self)!r})"


class Status(str):
    """A simple string."""


class Client:
    def __init__(self, path, protocol=2):
        self.socket = socket.socket(socket.AF_UNIX)
        try:
            self.socket.connect(path)
        except OSError:
            self.socket.close()
            raise
        self.file = self.socket.makefile("rb")
        if protocol != 2:
            self("HELLO", protocol)

    def close(self):
        self.file.close()
        self.socket.close()

    def __call__(self, *words):
        self.send(words)
        return self.read()

    def send(self, *commands):
        self.socket.sendall(b"".join(encoded(words) for words in commands))

    def pipeline(self, commands):
        """The replies of many commands, sent at once."""
        self.send(*commands)
        return [self.read() for _ in commands]

    def read(self):
        line = self.file.readline()
        if not line.endswith(b"\r\n"):
            raise ConnectionError("the server has gone")
        kind, rest = line[:1], line[1:-2]
        if kind == b"+":
            return Status(rest.decode())
        if kind == b"-":
            return Error(rest.decode())
        if kind == b":":
            return int(rest)
        if kind == b",":
            return float(rest)
        if kind == b"#":
            return rest == b"t"
        if kind == b"_" or rest == b"-1":
            return None
        if kind in b"$=":
            return self.file.read(int(rest) + 2)[:-2]
        if kind in b"*~>":
            return [self.read() for _ in range(int(rest))]
        if kind == b"%":
            return {self.read(): self.read() for _ in range(int(rest))}
        raise ValueError(line)


def encoded(words):
    words = [w if isinstance(w, bytes) else str(w).encode() for w in words]
    return b"".join([b"*%d\r\n" % len(words), *(b"$%d\r\n%s\r\n" % (len(w), w) for w in words)])


def find_server():
    """The server to test against: SEEN_REDIS_SERVER, or redis-server, or valkey-server; None if there is none."""
    names = [os.environ["SEEN_REDIS_SERVER"]] if "SEEN_REDIS_SERVER" in os.environ else ["redis-server", "valkey-server"]
    found = [shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin:/usr/local/bin") for name in names]
    return next((path for path in found if path), None)


def free_port():
    """A port of the loopback interface that nobody has at the moment."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


LIBC = ctypes.CDLL(None)


def die_with_the_test():
    """In the server, before it begins: it is killed when the test ends, even by a signal."""
    parent_death_signal = 1  # PR_SET_PDEATHSIG
    LIBC.prctl(parent_death_signal, signal.SIGKILL)


class Server:
    """A server on a Unix socket; with `listens`, which a primary needs, on a free port of the loopback interface too."""

    def __init__(self, module, *options, arguments=(), program=None, folder=None, listens=False):
        self.own_folder = folder is None
        self.folder = folder or tempfile.mkdtemp(prefix="seen-redis-")
        self.path = os.path.join(self.folder, "socket")
        self.module, self.arguments = module, arguments
        self.options, self.program = options, program or find_server()
        self.listens, self.port = listens, 0
        self.process = None
        self.clients = []
        try:
            self.start()
        except BaseException:  # Ctrl-C
            self.end()
            raise

    def start(self):
        if self.listens:
            self.port = free_port()
        words = [self.program, "--port", str(self.port), "--bind", "127.0.0.1", "--unixsocket", self.path, "--dir", self.folder, "--save", "",
                 "--enable-debug-command", "yes", "--daemonize", "no", *self.options,
                 "--loadmodule", self.module, *map(str, self.arguments)]  # fmt: skip
        with open(os.path.join(self.folder, "log"), "ab") as log:
            self.process = subprocess.Popen(words, stdout=log, stderr=log, preexec_fn=die_with_the_test)
        while True:
            try:
                client = self.connect()
                if not isinstance(client("PING"), Error):
                    return
            except (FileNotFoundError, ConnectionError):
                pass
            if self.process.poll() is not None and self.listens and "Address already in use" in self.log()[-2000:]:
                return self.start()  # somebody else took the port
            if self.process.poll() is not None:
                raise RuntimeError("the server ended: " + self.log()[-2000:])
            time.sleep(0.01)  # it is loading

    def connect(self, protocol=2):
        client = Client(self.path, protocol)
        self.clients.append(client)
        return client

    def log(self):
        with open(os.path.join(self.folder, "log"), encoding="utf-8", errors="replace") as log:
            return log.read()

    def is_alive(self):
        return self.process.poll() is None

    def kill(self):
        """kill -9"""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def restart(self):
        if self.is_alive():
            self.kill()
        if os.path.exists(self.path):
            os.unlink(self.path)
        self.start()

    def end(self):
        for client in self.clients:
            client.close()
        if self.process is not None and self.is_alive():
            self.kill()
        if self.own_folder:
            shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()
