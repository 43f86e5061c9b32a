"""The command on a terminal, and in pipes: colours, widths, questions of locale, keys that are typed."""

import fcntl
import os
import pty
import re
import shutil
import signal
import struct
import subprocess
import termios
import threading
import time
from subprocess import DEVNULL, PIPE

from support import SEEN, CommandTest, lines, main

TERMINAL = object()
VERBS = ["build", "add", "remove", "query", "info", "plan", "merge", "intersect", "shrink", "convert", "verify", "formats", "bench",
         "help", "version", "completions"]


class TerminalTest(CommandTest):
    def on_terminal(self, *args, work=lambda child: None, env=None, stdin=PIPE, stdout=DEVNULL, stderr=TERMINAL, width=80, status=0, under=()):
        """What the terminal shows while work(child) keeps the command busy. Nothing is echoed, and lines end as they were written;
        child.terminal is where people type."""
        try:
            ours, theirs = pty.openpty()
        except OSError as e:  # a chroot without /dev/pts
            self.skip_unless_ci(f"no terminal can be opened here: {e}")
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
        settings = termios.tcgetattr(theirs)
        settings[1] &= ~termios.OPOST
        settings[3] &= ~termios.ECHO
        termios.tcsetattr(theirs, termios.TCSANOW, settings)
        shown = bytearray()

        def read():
            try:
                while piece := os.read(ours, 65536):
                    shown.extend(piece)
            except OSError:  # how Linux says that the other end is closed
                pass

        given = {"stdin": stdin, "stdout": stdout, "stderr": stderr}
        with subprocess.Popen([*under, SEEN, *args], cwd=self.dir, env={**self.env, "TERM": "xterm", **(env or {})},
                              **{name: theirs if end is TERMINAL else end for name, end in given.items()}) as child:
            os.close(theirs)
            reader = threading.Thread(target=read)
            reader.start()
            child.terminal, child.shown = ours, shown
            try:
                work(child)
                if child.stdin:
                    child.stdin.close()
                self.assertEqual(child.wait(timeout=20), status, shown)
            finally:
                child.kill()
                reader.join()
        os.close(ours)
        return shown.decode()

    def wait_for(self, child, text):
        """Waits until the terminal shows it."""
        end = time.monotonic() + 60
        while text.encode() not in child.shown:
            self.assertLess(time.monotonic(), end, (text, child.shown))
            time.sleep(0.005)


class Progress(TerminalTest):
    """Stderr is a terminal here."""

    @staticmethod
    def slow_keys(child):
        for _ in range(4):
            child.stdin.write(b"x\n")
            child.stdin.flush()
            time.sleep(0.15)

    @staticmethod
    def pauses(child):
        """The bar goes by the clock, which runs on while the process is stopped: no need for minutes of work."""
        for _ in range(3):
            time.sleep(0.01)
            child.send_signal(signal.SIGSTOP)
            time.sleep(0.22)
            child.send_signal(signal.SIGCONT)

    def test_a_bar_on_a_terminal_that_goes_away_again(self):
        shown = self.on_terminal("build", "-o", "f", work=self.slow_keys)
        self.assertRegex(shown, r"\A(\rreading \d keys, \d+/s\x1b\[K)+\r\x1b\[Kseen: f: 4 keys in [^\n]*\n\Z")

    def test_reading_checking_and_saving_show_bytes(self):
        """Of 17 MiB in pieces, each of which takes the device 0.15 s."""
        if shutil.which("strace") is None or subprocess.run(["strace", "-o", "/dev/null", "true"]).returncode != 0:
            self.skip_unless_ci("strace does not work here")
        self.build("f", 1, options=("-n", "15000000"))
        for call, label, *verb in [
            ("pread64", "checking", "verify", "f"),
            ("pread64", "loading", "convert", "--metadata", "x", "-o", "g", "f"),
            ("pwrite64", "saving", "convert", "--metadata", "x", "-o", "h", "f"),
        ]:
            with self.subTest(label):
                slow = ("strace", "-o", "/dev/null", "-e", f"inject={call}:delay_enter=150000")
                shown = self.on_terminal(*verb, under=slow)
                self.assertRegex(shown, rf"\r{label} \[.*\] +\d+%  [\d.]+MB, [\d.]+MB/s, 0:0\d left")

    def test_none_when_quiet_or_on_a_simple_terminal(self):
        self.assertEqual(self.on_terminal("build", "-q", "-o", "f", work=self.slow_keys), "")
        shown = self.on_terminal("build", "-f", "-o", "f", work=self.slow_keys, env={"TERM": "dumb"})
        self.assertNotIn("reading", shown)

    def test_none_between_lines_that_someone_reads(self):
        self.build("f", "x")
        self.assertEqual(self.on_terminal("query", "f", work=self.slow_keys, stdout=PIPE), "")
        self.assertRegex(self.on_terminal("query", "f", work=self.slow_keys), r"\rasking \d keys")

    def test_the_share_done_in_colour_or_without(self):
        self.write("keys", lines(*range(1_000_000)))
        keys = ["keys"] * 10
        shown = self.on_terminal("build", "-o", "f", *keys, work=self.pauses)
        self.assertRegex(shown, r"\r(counting|building) \[\x1b\[32m=*>? *\x1b\[0m\] +\d+%  [\d.]+[kM]? keys, "
                                r"[\d.]+[kM]?/s, \d:\d\d left\x1b\[K")
        shown = self.on_terminal("build", "-f", "-o", "f", *keys, work=self.pauses, env={"NO_COLOR": "1"})
        self.assertRegex(shown, r"\r(counting|building) \[=*>? *\] +\d+%  ")
        self.assertNotIn("\x1b[32m", shown)

    def test_it_fits_the_terminal(self):
        self.write("keys", lines(*range(1_000_000)))
        for width in (80, 30, 10):
            shown = self.on_terminal("build", "-f", "-o", "f", *["keys"] * 10, work=self.pauses, width=width)
            drawn = re.findall(r"\r([^\r]*(?:counting|building)[^\r]*)\x1b\[K", re.sub(r"\x1b\[[0-9]*m", "", shown))
            self.assertTrue(drawn)
            for line in drawn:
                self.assertLess(len(line), width, line)
                self.assertEqual("[" in line, width == 80, line)

    def test_it_fits_forty_columns_with_its_figures(self):
        self.write("keys", lines(*range(1_000_000)))
        shown = self.on_terminal("build", "-o", "f", *["keys"] * 10, work=self.pauses, width=40, env={"NO_COLOR": "1"})
        for line in re.findall(r"\r([^\r]*)\x1b\[K", shown):
            self.assertLess(len(line), 40, line)
        self.assertRegex(shown, r"\r(counting|building) +\d+%  [\d.]+[kM]? keys")


class Help(TerminalTest):
    def help(self, *args, **more):
        return self.on_terminal(*args, "--help", stdin=DEVNULL, stdout=TERMINAL, **more)

    def test_it_is_as_wide_as_the_terminal(self):
        for verb in VERBS:
            widths = [max(map(len, self.help(verb, width=width).splitlines())) for width in (40, 60, 110)]
            self.assertTrue(widths[0] <= 40 and widths[1] <= 60 and widths[2] <= 110, (verb, widths))
        self.assertLess(80, max(map(len, self.help("build", width=110).splitlines())))

    def test_columns_overrule_the_terminal_and_a_terminal_without_size_has_eighty(self):
        piped = self.seen("build", "--help").out.decode()
        self.assertEqual(self.help("build", width=0), piped)
        self.assertEqual(self.help("build", width=132, env={"COLUMNS": "80"}), piped)
        self.assertEqual(self.help("build", width=7), self.help("build", width=40))

    def test_usage_alone_goes_to_the_terminal_of_stderr(self):
        self.assertRegex(self.on_terminal(stdin=DEVNULL, status=2), r"\AUsage: seen VERB ")


class Locales(TerminalTest):
    def test_help_and_numbers_are_the_same_in_every_locale(self):
        self.build("f", *range(100))
        for args in (["build", "--help"], ["info", "f"], ["plan", "-n", "1e6"], ["formats"]):
            said = []
            for locale in ({}, {"LC_ALL": "C"}, {"LC_ALL": "POSIX"}, {"LC_ALL": "C.UTF-8"}, {"LC_ALL": "de_DE.UTF-8"}, {"LANG": "xx"}):
                self.env = {k: v for k, v in self.env.items() if not k.startswith(("LC_", "LANG"))} | locale
                said.append(self.seen(*args, err="").out)
            self.assertEqual(len(set(said)), 1, args)
            said[0].decode("ascii")

    def test_keys_are_bytes_without_a_locale_too(self):
        self.env = {k: v for k, v in self.env.items() if not k.startswith(("LC_", "LANG"))}
        self.build("f", "häß", b"\xff\xfe")
        self.holds("f", "häß", b"\xff\xfe")


class Pipes(TerminalTest):
    """Whatever TERM says, what is read by programs has no escape sequences; a simple terminal gets none either."""

    def every_verb(self):
        self.write("keys", lines(*range(1000)))
        self.seen("build", "-q", "-f", "-o", "f", "--kind", "counting-bloom", "-n", "2000", "keys")
        self.seen("build", "-q", "-f", "-o", "b", "--kind", "bloom", "--at-most", "10000", "keys")
        return (["build", "-f", "-o", "g", "keys"], ["add", "f", "keys"], ["remove", "f", "keys"], ["query", "f", "-k", "keys"],
                ["query", "--json", "f", "-k", "keys"], ["info", "f"], ["plan", "-n", "5"], ["merge", "-f", "-o", "g", "f", "f"],
                ["intersect", "-f", "-o", "g", "b", "b"], ["verify", "f", "keys"], ["formats"], ["help"], ["version"], ["query", "--help"],
                ["bench", "--rounds", "1", "--sizes", "1000", "--only", "quotient"])

    def test_no_escape_sequences_in_pipes(self):
        self.env["TERM"] = "xterm-256color"
        for args in self.every_verb():
            done = self.run_seen(*args)
            self.assertLessEqual(done.status, 1, (args, done.err))
            self.assertNotIn(b"\x1b", done.out, args)
            self.assertNotIn("\x1b", done.err, args)
            self.assertNotIn("\r", done.err, args)

    def test_none_on_a_simple_terminal(self):
        for args in self.every_verb():
            shown = self.on_terminal(*args, stdin=DEVNULL, stdout=TERMINAL, env={"TERM": "dumb"})
            self.assertNotIn("\x1b", shown, args)

    def test_no_colour_where_none_is_wanted(self):
        for args in self.every_verb():
            shown = self.on_terminal(*args, stdin=DEVNULL, stdout=TERMINAL, env={"NO_COLOR": "1"}, width=40)
            self.assertIsNone(re.search(r"\x1b\[[0-9;]*m", shown), args)


class Typing(TerminalTest):
    PROMPT = "seen: reading keys from the terminal (Ctrl-D ends them)\n"

    def type(self, *keys):
        def work(child):
            for key in keys:
                os.write(child.terminal, key)
                time.sleep(0.01)
        return work

    def test_who_forgot_the_list_is_told(self):
        shown = self.on_terminal("build", "-o", "f", stdin=TERMINAL, work=self.type(b"alice\n", b"bob\n", b"\x04"))
        self.assertEqual(shown.count(self.PROMPT), 1)
        self.assertTrue(shown.startswith(self.PROMPT), shown)
        self.assertIn("seen: f: 2 keys", shown)
        self.holds("f", "alice", "bob")
        for args, status in ((["add", "f"], 0), (["query", "f"], 1)):
            self.assertIn(self.PROMPT, self.on_terminal(*args, stdin=TERMINAL, work=self.type(b"carol\n" if args[0] == "add" else b"",
                                                                                           b"\x04"), status=status))

    def test_who_wants_no_remarks_is_not(self):
        self.assertEqual(self.on_terminal("build", "-q", "-o", "f", stdin=TERMINAL, work=self.type(b"x\n", b"\x04")), "")

    def test_nor_who_named_a_list_or_has_a_pipe(self):
        self.write("keys", lines("x"))
        self.assertNotIn("reading keys from", self.on_terminal("build", "-o", "f", "keys", stdin=TERMINAL))
        self.assertNotIn("reading keys from", self.on_terminal("build", "-f", "-o", "f"))
        self.assertNotIn("reading keys from", self.seen("build", "-f", "-o", "f", stdin=lines("x")).err)

    def test_a_line_is_answered_when_it_is_typed(self):
        self.build("f", "alice", "carol")

        def work(child):
            os.write(child.terminal, b"alice\n")
            self.wait_for(child, "alice\n")
            os.write(child.terminal, b"bob\ncarol\n")
            self.wait_for(child, "carol\n")
            os.write(child.terminal, b"\x04")

        shown = self.on_terminal("query", "f", stdin=TERMINAL, stdout=TERMINAL, work=work)
        self.assertEqual(shown, self.PROMPT + "alice\ncarol\n")

    def test_a_filter_is_not_for_a_terminal(self):
        shown = self.on_terminal("build", "-o", "-", stdin=DEVNULL, stdout=TERMINAL, status=2)
        self.assertEqual(shown, "seen: -o -: a filter is not for a terminal\n")


if __name__ == "__main__":
    main()
