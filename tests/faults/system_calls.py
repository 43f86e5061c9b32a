"""Failure cases 26 and 27: every system call of save, of a writable map and of loading fails once, with every error and
with SIGKILL; afterwards the old or the new file is there, whole.

    system_calls.py FAULT_HELPER [SEEN]

Runs the helper under strace, which makes the n-th call of a kind fail; and it and the command with a stop between two
calls, in which the file is replaced. Needs strace and the right to trace: without
them the test is skipped, or fails where CI=true.
"""

import fcntl
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HELPER = os.path.abspath(sys.argv[1])
COMMAND = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else None  # where it is not built, it is not asked
DONE, FAILED, NO = 0, 2, 3
KILLED = (-9, 137)
SKIP = 77
OLD, NEW = "1000", "3000"  # keys: two filters of different length
ENV = dict(os.environ, ASAN_OPTIONS="detect_leaks=0")  # the leak check does not work under ptrace

# An interrupted call is tried again. (rename, link and stat are not interrupted by POSIX; an error is fine there.)
RETRIED = {"openat", "pwrite64", "pread64", "write", "fsync", "flock", "msync"}
ERRORS = ("EIO", "ENOSPC", "EINTR")
# Calls whose failure cannot be told to anybody.
UNREPORTED = {"close", "munmap"}
# Memory for the process itself; case 31 is tested elsewhere.
NOT_OURS = {"brk", "access", "exit_group", "rt_sigprocmask", "rt_sigaction", "futex", "getrandom"}

failures = []
runs = 0


def helper(*args, env=None):
    return subprocess.run([HELPER, *args], env=env or ENV, capture_output=True, text=True)


def traced(inject, *args):
    """Runs the helper with one fault; its exit code, and what it said."""
    global runs
    runs += 1
    with tempfile.NamedTemporaryFile("r", suffix=".strace") as log:
        ran = subprocess.run(["strace", "-f", "-o", log.name, *inject, HELPER, *args], env=ENV, capture_output=True,
                             text=True)
        return ran.returncode, ran.stderr, log.read()


def calls_under_test(*args):
    """(name, n) for every call between the marks: n counts the calls of that name from the program's start."""
    code, said, log = traced([], *args)
    if code != DONE:
        raise SystemExit(f"the helper does not work under strace: {code} {said}")
    counts, found, inside = {}, [], False
    for line in log.splitlines():
        match = re.match(r"\d+ +(\w+)\((.*)", line)
        if not match:
            continue
        name, rest = match.groups()
        counts[name] = counts.get(name, 0) + 1
        if name == "access" and "seen-fault-begin" in rest:
            inside = True
        elif name == "access" and "seen-fault-end" in rest:
            inside = False
        elif inside and name not in NOT_OURS:
            assert name != "msync" or "MS_SYNC" in rest, f"does not wait for the device: {line}"
            found.append((name, counts[name]))
    return found


def expect_order(calls, pattern):
    """What makes a file survive a power cut, which no test can pull: the order of the calls that write and wait."""
    order = " ".join(name for name, _ in calls if name in ("pwrite64", "fsync", "msync", "rename", "link"))
    if not re.fullmatch(pattern, order):
        failures.append(f"the order of calls is {order}, not {pattern}")


class Scene:
    """A directory with one file in it, made afresh for every fault; `link` is the name of a symbolic link to that file."""

    def __init__(self, directory, verb, *args, link=None):
        self.directory = directory
        self.path = os.path.join(directory, link or "filter.seen")
        self.temporary = os.path.join(directory, ".filter.seen.seen-tmp")
        self.verb, self.args, self.link = verb, args, link
        self.names = sorted(["filter.seen"] + ([link] if link else []))  # what is there in the end

    def reset(self, old):
        for name in os.listdir(self.directory):
            os.remove(os.path.join(self.directory, name))
        if self.link:
            os.symlink("filter.seen", self.path)
        if old:
            assert helper("save", self.path, old, "replace").returncode == DONE

    def arguments(self):
        return (self.verb, self.path, *self.args)

    def holds(self, keys):
        return helper("holds", self.path, keys).returncode == DONE

    def expect(self, true, what, fault):
        if not true:
            failures.append(f"{self.verb} {' '.join(self.args)}, {fault}: {what}")


def after_save(scene, old, fault, code, said, name):
    """What must hold after a save that met one fault."""
    killed = code in KILLED
    whole_new = scene.holds(NEW)
    whole_old = scene.holds(old) if old else not os.path.exists(scene.path)
    scene.expect(whole_new or whole_old, "neither the old file nor the new one is there, whole", fault)
    scene.expect(code in (DONE, FAILED) or killed, f"exit code {code}: {said}", fault)
    if code == DONE:
        scene.expect(whole_new, "said to be done, but the file is the old one", fault)
    if code == FAILED:
        scene.expect(": " in said, "failed without a word", fault)
    if scene.link:
        scene.expect(os.path.islink(scene.path), "the link is gone", fault)
    if not killed:
        left = [n for n in os.listdir(scene.directory) if n not in scene.names]
        # A name that cannot be removed stays; the next save removes it.
        scene.expect(not left or name == "unlink", f"left behind: {left}", fault)
    if killed or name == "unlink":
        again = helper("save", scene.path, NEW, "replace")
        scene.expect(again.returncode == DONE and scene.holds(NEW), f"the next save fails: {again.stderr}", fault)
        scene.expect(sorted(os.listdir(scene.directory)) == scene.names, "the next save leaves the temporary", fault)


def every_fault_of_save(directory, how, old, link=None):
    scene = Scene(directory, "save", NEW, how, link=link)
    scene.reset(old)
    calls = calls_under_test(*scene.arguments())
    wanted = {"openat", "pwrite64", "fsync", "rename" if how == "replace" else "link"}
    assert wanted <= {name for name, _ in calls}, f"save no longer makes the calls {wanted}: {calls}"
    expect_order(calls, "(pwrite64 )+fsync (rename|link) fsync")  # the file, its name, its directory
    for name, n in calls:
        for error in ERRORS:
            fault = f"{name} number {n} gives {error}"
            scene.reset(old)
            code, said, _ = traced(["-e", f"inject={name}:error={error}:when={n}"], *scene.arguments())
            after_save(scene, old, fault, code, said, name)
            if error == "EINTR" and name in RETRIED:
                scene.expect(code == DONE, f"an interruption is not an error: {said}", fault)
            elif name in wanted | {"flock", "fchmod"}:
                scene.expect(code == FAILED, f"not reported: exit code {code}", fault)
        scene.reset(old)
        code, said, _ = traced(["-e", f"inject={name}:signal=KILL:when={n}"], *scene.arguments())
        scene.expect(code in KILLED, f"not killed: exit code {code}", f"killed at {name} number {n}")
        after_save(scene, old, f"killed at {name} number {n}", code, said, name)
    return len(calls)


def two_crashes(directory):
    """A save that must not overwrite dies between link and unlink, which leaves the temporary as a second name of the
    target; the save after it dies too, at every call."""
    scene = Scene(directory, "save", NEW, "new")
    scene.reset(None)
    last_unlink = [n for name, n in calls_under_test(*scene.arguments()) if name == "unlink"][-1]
    again = Scene(directory, "save", OLD, "replace")

    def crash_once():
        scene.reset(None)
        traced(["-e", f"inject=unlink:signal=KILL:when={last_unlink}"], *scene.arguments())
        assert os.path.exists(scene.path) and os.path.exists(scene.temporary)

    crash_once()
    for name, n in calls_under_test(*again.arguments()):
        crash_once()
        traced(["-e", f"inject={name}:signal=KILL:when={n}"], *again.arguments())
        again.expect(scene.holds(NEW) or scene.holds(OLD), "the file is gone", f"second crash at {name} number {n}")


def a_temporary_taken_away(directory):
    """Between making the temporary and locking it a save is slow, and another one removes it as stale: that one may have come
    and gone, or be at work."""
    scene = Scene(directory, "save", NEW, "replace")
    scene.reset(OLD)
    slow = [n for name, n in calls_under_test(*scene.arguments()) if name == "flock"][0]
    for other_is_at_work in (False, True):
        scene.reset(OLD)
        with subprocess.Popen(["strace", "-f", "-o", "/dev/null", "-e", f"inject=flock:delay_enter=1000000:when={slow}", HELPER,
                               *scene.arguments()], env=ENV, stderr=subprocess.PIPE, text=True) as saver:
            while not os.path.exists(scene.temporary) and saver.poll() is None:
                time.sleep(0.001)
            os.unlink(scene.temporary)
            if other_is_at_work:
                other = open(scene.temporary, "w")
                fcntl.flock(other, fcntl.LOCK_EX)
            said = saver.communicate()[1]
        if other_is_at_work:
            scene.expect(saver.returncode == FAILED and said.startswith("busy: "), f"not told busy: {said}", "taken away")
            scene.expect(os.path.exists(scene.temporary) and scene.holds(OLD), "the other's work is gone", "taken away")
            other.close()
        else:
            scene.expect(saver.returncode == DONE and scene.holds(NEW), f"does not begin anew: {said}", "taken away")


def every_fault_of_a_nameless_file(directory):
    """A file system that does not know files without a name gets one that loses it at once."""
    scene = Scene(directory, "nameless")
    scene.path = directory
    for name in os.listdir(directory):
        os.remove(os.path.join(directory, name))
    calls = calls_under_test(*scene.arguments())
    first_open = [n for name, n in calls if name == "openat"][0]
    for name, n in calls:
        for error in ("EOPNOTSUPP", "EISDIR", "EINVAL", *ERRORS):
            code, said, _ = traced(["-e", f"inject={name}:error={error}:when={n}"], *scene.arguments())
            fault = f"{name} number {n} gives {error}"
            unknown = n == first_open and name == "openat" and error not in ("EIO", "ENOSPC")
            if unknown or name in UNREPORTED or error == "EINTR" and name in RETRIED:
                scene.expect(code == DONE, f"exit code {code}: {said}", fault)
            else:
                scene.expect(code == FAILED and ": " in said, f"exit code {code}: {said}", fault)
            scene.expect(os.listdir(directory) == [], f"left behind: {os.listdir(directory)}", fault)


def every_fault_of_adding(directory):
    """map_writable, sync and seal: no key that was there before is ever lost, and 'done' means sealed."""
    scene = Scene(directory, "add", "5000", "50")
    scene.reset(OLD)
    calls = calls_under_test(*scene.arguments())
    assert {"pwrite64", "fsync", "msync", "mmap"} <= {name for name, _ in calls}, calls
    # The mark, then the bits; table and numbers, then the seal's own word.
    expect_order(calls, "pwrite64 fsync (msync )+(pwrite64 )+fsync pwrite64 fsync")
    synced_after = [i for i, (name, _) in enumerate(calls) if name == "msync"][0]
    for i, (name, n) in enumerate(calls):
        for inject in [f"error={e}" for e in ERRORS] + ["signal=KILL"]:
            fault = f"{name} number {n} gives {inject}"
            scene.reset(OLD)
            code, said, _ = traced(["-e", f"inject={name}:{inject}:when={n}"], *scene.arguments())
            scene.expect(code in (DONE, FAILED, *KILLED), f"exit code {code}: {said}", fault)
            scene.expect(helper("recovers", scene.path, "0", OLD).returncode == DONE, "old keys are lost", fault)
            if code == DONE:
                scene.expect(helper("load", scene.path).returncode == DONE, "done, but not sealed", fault)
            if code == DONE or i > synced_after:
                added = helper("recovers", scene.path, "5000", "50").returncode
                scene.expect(added == DONE, "synced keys are lost", fault)
            if inject == "error=EINTR" and name in RETRIED:
                scene.expect(code == DONE, f"an interruption is not an error: {said}", fault)
            again = helper(*scene.arguments())
            scene.expect(again.returncode == DONE, f"cannot be opened again: {again.stderr}", fault)
    return len(calls)


def order_of_sealing(directory):
    """Keys added since the last sync are on the device before the seal says so."""
    scene = Scene(directory, "seal", "5000", "50")
    scene.reset(OLD)
    expect_order(calls_under_test(*scene.arguments()), "pwrite64 fsync (msync )+(pwrite64 )+fsync pwrite64 fsync")
    scene.expect(helper("load", scene.path).returncode == DONE, "is not whole", "no fault")


def replaced_after_open(scene, program, replacement):
    """Runs the program and stops it when it has opened the file, puts another one in its place, and lets it go on; its exit
    code, and what it said."""
    with tempfile.NamedTemporaryFile("r", suffix=".strace") as log:
        stop = ["-f", "-o", log.name, "-P", scene.path, "-e", "inject=openat:signal=STOP:when=1"]
        ran = subprocess.Popen(["strace", *stop, *program], env=ENV, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                               text=True)
        told = ""
        while not (stopped := re.search(r"^(\d+) +--- stopped by SIGSTOP", told, re.MULTILINE)):
            assert ran.poll() is None, f"{program} did not open the file, or cannot be stopped: {told}"
            time.sleep(0.01)
            told += log.read()
        os.replace(replacement, scene.path)
        os.kill(int(stopped.group(1)), signal.SIGCONT)
        said = ran.communicate()[1]
        return ran.returncode, said


def replaced_between_open_and_lock(directory):
    """Who opened a file and finds, with its lock, that another one has its name takes the other one."""
    scene = Scene(directory, "seal", "5000", "50")
    other = os.path.join(directory, "other.seen")
    fault = "replaced between open and lock"

    scene.reset(OLD)
    assert helper("save", other, NEW, "replace").returncode == DONE
    code, said = replaced_after_open(scene, [HELPER, *scene.arguments()], other)
    scene.expect(code == DONE, f"exit code {code}: {said}", fault)
    for first, count in ("0", NEW), ("5000", "50"):
        scene.expect(helper("recovers", scene.path, first, count).returncode == DONE, f"keys from {first} lost", fault)

    if COMMAND is None:
        return
    # The command reads what it changes by name: only the lock tells which file it thought of. Here another has it.
    scene.reset(OLD)
    assert helper("save", other, NEW, "replace").returncode == DONE
    with open(other, "rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        code, said = replaced_after_open(scene, [COMMAND, "add", scene.path, "alice"], other)
    scene.expect(code not in (DONE, *KILLED) and "another process" in said, f"exit code {code}: {said}", fault)
    scene.expect(scene.holds(NEW), "was changed without its lock", fault)


def every_fault_of_opening(directory, verb):
    scene = Scene(directory, verb)
    scene.reset(OLD)
    for name, n in calls_under_test(*scene.arguments()):
        for error in ERRORS:
            fault = f"{name} number {n} gives {error}"
            code, said, _ = traced(["-e", f"inject={name}:error={error}:when={n}"], *scene.arguments())
            if error == "EINTR" and name in RETRIED:
                scene.expect(code == DONE, f"an interruption is not an error: {said}", fault)
            elif name not in UNREPORTED:
                scene.expect(code == FAILED and ": " in said, f"exit code {code}: {said}", fault)
    scene.expect(scene.holds(OLD), "opening changed the file", "all")


def short_calls(directory):
    """Calls that move 7 bytes at a time and are interrupted every third time change nothing."""
    env = dict(ENV, SEEN_SHORT_CALLS="1")
    scene = Scene(directory, "save", NEW, "replace")
    scene.reset(OLD)
    saved = helper(*scene.arguments(), env=env)
    scene.expect(saved.returncode == DONE and scene.holds(NEW), f"does not save: {saved.stderr}", "short calls")
    for verb in ("load", "map"):
        opened = helper(verb, scene.path, env=env)
        scene.expect(opened.returncode == DONE, f"does not {verb}: {opened.stderr}", "short calls")
    added = helper("add", scene.path, "5000", "50", env=env)
    scene.expect(added.returncode == DONE, f"does not add: {added.stderr}", "short calls")
    scene.expect(helper("load", scene.path).returncode == DONE, "is not whole after add", "short calls")
    pipe = os.path.join(directory, "pipe")
    os.mkfifo(pipe)
    with subprocess.Popen([HELPER, "save", pipe, NEW, "replace"], env=env, stderr=subprocess.PIPE, text=True) as saver:
        with open(pipe, "rb") as reader:
            came = reader.read()
        said = saver.communicate()[1]
    assert helper(*scene.arguments()).returncode == DONE
    with open(scene.path, "rb") as file:
        scene.expect(saver.returncode == DONE and came == file.read(), f"{len(came)} bytes came: {said}", "short calls, a pipe")


def can_trace():
    if shutil.which("strace") is None:
        return "strace is not installed"
    probe = subprocess.run(["strace", "-o", "/dev/null", "-e", "inject=close:error=EIO:when=1", "true"],
                           capture_output=True, text=True)
    return None if probe.returncode == 0 else f"strace does not work here: {probe.stderr.strip()}"


def main():
    why_not = can_trace()
    if why_not:
        print(f"skipped: {why_not}")
        return 1 if os.environ.get("CI") == "true" else SKIP
    with tempfile.TemporaryDirectory(prefix="seen-faults-") as directory:
        replaced = every_fault_of_save(directory, "replace", OLD)
        made = every_fault_of_save(directory, "new", None)
        every_fault_of_save(directory, "replace", None, link="link")
        two_crashes(directory)
        a_temporary_taken_away(directory)
        every_fault_of_a_nameless_file(directory)
        added = every_fault_of_adding(directory)
        order_of_sealing(directory)
        replaced_between_open_and_lock(directory)
        for verb in ("load", "map"):
            every_fault_of_opening(directory, verb)
        short_calls(directory)
    print(f"{runs} runs: {replaced} calls of save over a file, {made} to a new one, {added} of a writable map; "
          f"{len(failures)} failures")
    for failure in failures:
        print(failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
