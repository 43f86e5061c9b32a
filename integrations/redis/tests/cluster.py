"""A cluster on the loopback interface: redis-servers with the module, each slot owned by a primary, started and ended by a test.

    with Cluster(module) as cluster:                  # three primaries; replicas=1 gives each one
        cluster.nodes[0].port                         # to connect to; node.connect() is a client of that node alone
        cluster.move(range(0, 100), cluster.nodes[2]) # slots and their keys, while others go on
        cluster.nodes[1].kill()                       # -9; restart() brings it back with the same port and folder

Ports are free ones, files are in a temporary folder, and every server dies with the process that started it. Start a cluster in the main
thread: a server dies with the thread that started it, too. It stands after some two seconds, which is how long a node of Redis waits before it trusts
what it sees of its cluster.

    SEEN_REDIS=…/seen.so python3 cluster.py           # a cluster to play with: says its ports, ends with Ctrl-C"""

import os
import shutil
import signal
import sys
import tempfile
import time

import resp

SLOTS = 16384


class Node(resp.Server):
    """One server of a cluster. Its two ports stay the same when it is started again."""

    def __init__(self, cluster, number):
        self.number, self.port, self.bus = number, 0, 0
        folder = os.path.join(cluster.folder, str(number))
        os.mkdir(folder)
        self.cluster_options = ("--cluster-enabled", "yes", "--cluster-node-timeout", str(cluster.timeout),
                                "--repl-diskless-sync-delay", "0", *cluster.options)  # fmt: skip
        super().__init__(cluster.module, program=cluster.program, folder=folder, arguments=cluster.arguments)

    def start(self):
        again = self.process is not None
        while True:
            if not again:
                self.port, self.bus = resp.free_port(), resp.free_port()
            self.options = (*self.cluster_options, "--cluster-port", str(self.bus))
            try:
                super().start()
                self.id = self.connect()("CLUSTER", "MYID").decode()
                return
            except RuntimeError:  # somebody else took a port
                if again or "in use" not in self.log()[-2000:]:
                    raise

    def told(self, *words):
        """The reply; an error is raised."""
        reply = self.connect()(*words)
        if isinstance(reply, resp.Error):
            raise reply
        return reply

    def field(self, section, name):
        """A line of INFO or CLUSTER INFO."""
        text = self.told("CLUSTER", "INFO") if section == "cluster" else self.told("INFO", section)
        return dict(line.split(":", 1) for line in text.decode().splitlines() if ":" in line).get(name)

    def connect(self, protocol=2):
        client = super().connect(protocol)
        if len(self.clients) > 50:  # those of told(), and of a wait
            self.clients.pop(0).close()
        return client


class Cluster:
    """`primaries` nodes that share the slots evenly, and `replicas` of each: nodes[primaries + i] follows nodes[i % primaries].
    `timeout` is that of a node, in milliseconds: who is silent for so long has fallen, and its replica takes over."""

    def __init__(self, module, primaries=3, replicas=0, options=(), arguments=(), timeout=5000, program=None):
        self.module, self.options, self.arguments = module, tuple(map(str, options)), arguments
        self.timeout, self.program = timeout, program or resp.find_server()
        self.folder = tempfile.mkdtemp(prefix="seen-cluster-")
        self.nodes = []
        try:
            for number in range(primaries * (1 + replicas)):
                self.nodes.append(Node(self, number))
            self.form(primaries)
        except BaseException:
            self.end()
            raise

    def form(self, primaries):
        for i, node in enumerate(self.nodes):
            node.told("CLUSTER", "SET-CONFIG-EPOCH", i + 1)
            if i < primaries:
                node.told("CLUSTER", "ADDSLOTSRANGE", i * SLOTS // primaries, (i + 1) * SLOTS // primaries - 1)
            for other in self.nodes[:i]:
                node.told("CLUSTER", "MEET", "127.0.0.1", other.port, other.bus)
        self.wait(lambda: all(self.knows_all(node) for node in self.nodes), "the nodes do not find each other")
        for i, node in enumerate(self.nodes[primaries:]):
            node.told("CLUSTER", "REPLICATE", self.nodes[i % primaries].id)
        self.wait(self.is_whole, "the cluster does not form")

    def knows_all(self, node):
        return len(self.rows(node)) == len(self.nodes) and not any("handshake" in row["flags"] for row in self.rows(node))

    def is_whole(self):
        """Whether every living node sees every slot served, and every replica follows."""
        alive = [node for node in self.nodes if node.is_alive()]
        for node in alive:
            if node.field("cluster", "cluster_state") != "ok" or node.field("cluster", "cluster_slots_ok") != str(SLOTS):
                return False
            if node.field("replication", "role") == "slave" and node.field("replication", "master_link_status") != "up":
                return False
        views = [{(row["id"], "slave" in row["flags"], row["slots"]) for row in self.rows(node)} for node in alive]
        return all(view == views[0] for view in views)

    def wait(self, condition, complaint, seconds=60):
        """Waits until something is so, which is looked at again and again."""
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                raise TimeoutError(f"{complaint}:\n" + "\n".join(node.log()[-1000:] for node in self.nodes))
            time.sleep(0.02)

    def rows(self, node=None):
        """What a node knows of all: CLUSTER NODES."""
        text = (node or next(each for each in self.nodes if each.is_alive())).told("CLUSTER", "NODES").decode()
        rows = []
        for line in text.splitlines():
            words = line.split()
            rows.append({"id": words[0], "flags": words[2].split(","), "of": words[3], "slots": tuple(words[8:])})
        return rows

    def node(self, id):
        return next(node for node in self.nodes if node.id == id)

    def owners(self, by=None):
        """The node that serves each slot, as one of them sees it."""
        owners = {}
        for row in self.rows(by):
            for words in row["slots"]:
                if not words.startswith("["):  # on its way
                    first, _, last = words.partition("-")
                    owners.update(dict.fromkeys(range(int(first), int(last or first) + 1), self.node(row["id"])))
        return owners

    def owner(self, slot, by=None):
        """The node that serves a slot."""
        return self.owners(by).get(slot)

    def slot(self, key):
        return self.nodes[0].told("CLUSTER", "KEYSLOT", key)

    def primaries(self):
        return [self.node(row["id"]) for row in self.rows() if "master" in row["flags"] and "fail" not in row["flags"]]

    def replicas_of(self, node):
        return [self.node(row["id"]) for row in self.rows() if row["of"] == node.id]

    def move(self, slots, to, between=lambda: None):
        """Moves slots and their keys to a node as redis-cli --cluster reshard does; calls `between` while each is half moved."""
        owners = self.owners()
        others = [node for node in self.primaries() if node is not to]
        for slot in slots:
            source = owners[slot]
            if source is to:
                continue
            to.told("CLUSTER", "SETSLOT", slot, "IMPORTING", source.id)
            source.told("CLUSTER", "SETSLOT", slot, "MIGRATING", to.id)
            between()
            while keys := source.told("CLUSTER", "GETKEYSINSLOT", slot, 10):
                source.told("MIGRATE", "127.0.0.1", to.port, "", 0, 60000, "KEYS", *keys)
                between()
            for node in (to, source, *(node for node in others if node is not source)):
                node.told("CLUSTER", "SETSLOT", slot, "NODE", to.id)

    def end(self):
        for node in self.nodes:
            node.end()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()


if __name__ == "__main__":
    begin = time.monotonic()
    with Cluster(os.environ["SEEN_REDIS"], replicas=int(sys.argv[1]) if sys.argv[1:] else 0) as cluster:
        print(f"formed in {time.monotonic() - begin:.1f} s: ports", *(node.port for node in cluster.nodes), flush=True)
        try:
            signal.pause()
        except KeyboardInterrupt:
            pass
