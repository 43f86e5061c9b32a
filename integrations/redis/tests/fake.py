"""A server that replies what a test wants, right or wrong.

    with Fake(lambda words: Status("PONG") if words[0] == b"PING" else None) as server:
        server.url                                    # unix:/…; what is answered by HANG_UP ends its connection

A reply is a value, or Raw: bytes as they go over the wire."""

import os
import shutil
import socket
import tempfile
import threading

from resp import Error, Status


class Raw(bytes):
    """What is sent as it is."""


HANG_UP = object()


def reply(value):
    """A value in RESP2."""
    if isinstance(value, Raw):
        return value
    if isinstance(value, Status):
        return b"+%s\r\n" % str(value).encode()
    if isinstance(value, Error):
        return b"-%s\r\n" % str(value).encode()
    if value is None:
        return b"$-1\r\n"
    if isinstance(value, int):
        return b":%d\r\n" % value
    if isinstance(value, (list, tuple)):
        return b"*%d\r\n" % len(value) + b"".join(map(reply, value))
    value = value if isinstance(value, bytes) else str(value).encode()
    return b"$%d\r\n%s\r\n" % (len(value), value)


class Fake:
    def __init__(self, answer, port=None):
        """`port` is a socket that listens, and is answered at, too."""
        self.answer = answer
        self.folder = tempfile.mkdtemp(prefix="seen-fake-")
        self.path = os.path.join(self.folder, "socket")
        self.url = "unix:" + self.path
        self.heard = []  # commands, in the order they came
        unix = socket.socket(socket.AF_UNIX)
        unix.bind(self.path)
        unix.listen(64)
        self.listeners = [each for each in (unix, port) if each]
        self.threads = [threading.Thread(target=self.accept, args=(each,), daemon=True) for each in self.listeners]
        for thread in list(self.threads):
            thread.start()

    def accept(self, listener):
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return
            thread = threading.Thread(target=self.serve, args=(client,), daemon=True)
            self.threads.append(thread)
            thread.start()

    def serve(self, client):
        with client, client.makefile("rb") as file:
            try:
                while (line := file.readline()).startswith(b"*"):
                    words = []
                    for _ in range(int(line[1:])):
                        size = int(file.readline()[1:])
                        words.append(file.read(size + 2)[:-2])
                    self.heard.append(words)
                    told = self.answer(words)
                    if told is HANG_UP:
                        return
                    client.sendall(reply(told))
            except (OSError, ValueError):
                return  # the client has gone

    def end(self):
        for each in self.listeners:
            each.shutdown(socket.SHUT_RDWR)
            each.close()
        for thread in self.threads:
            thread.join()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()
