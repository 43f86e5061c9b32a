"""`seen serve`, started and ended by a test: what resp.Server is for redis-server.

    with Serving(seen, "users=users.seen", folder=f) as server:      # its socket is `socket` in the folder
        server.connect()("BF.EXISTS", "users", "alice")"""

import os
import signal
import subprocess

import resp


class Serving(resp.Server):
    def __init__(self, seen, *options, folder=None):
        super().__init__(seen, *options, program=seen, folder=folder)

    def words(self):
        return [self.program, "serve", "--unix", self.path, *map(str, self.options)]

    def start(self):
        if self.process is not None:
            self.process.stdout.close()
        with open(os.path.join(self.folder, "log"), "ab") as log:
            self.process = subprocess.Popen(self.words(), cwd=self.folder, stdout=subprocess.PIPE, stderr=log)
        self.ready = self.process.stdout.readline().decode()
        if not self.ready:
            self.process.wait()
            self.process.stdout.close()
            raise RuntimeError("the server ended: " + self.log()[-2000:])

    def restart(self):
        if self.is_alive():
            self.kill()
        self.start()

    def stop(self, how=signal.SIGTERM):
        """Ends it as an operator does; its exit status."""
        self.process.send_signal(how)
        return self.process.wait()

    def end(self):
        super().end()
        if self.process is not None:
            self.process.stdout.close()
