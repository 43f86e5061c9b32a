"""What the writers of this folder share: the keys of golden/keys.json, and a manifest beside a file that they made."""
import hashlib, json, pathlib

GOLDEN = pathlib.Path(__file__).resolve().parents[2]
KEYS = json.loads((GOLDEN / "keys.json").read_text())
ADDED = [bytes.fromhex(key) for key in KEYS["added_hex"]]
ABSENT = [bytes.fromhex(key) for key in KEYS["absent_hex"]]


def write(folder, name, content, contains, *, peer, license, how, params, checked="", added_but_answered_false=()):
    """Writes a file and its manifest; contains(key) is the writer's own answer. `checked`: what a library said of it."""
    said = {
        "absent_answers": [contains(key) for key in ABSENT],
        "added": f"the first {len(ADDED)} of added_hex in keys.json, in order",
        "added_but_answered_false": list(added_but_answered_false),
        "added_count": len(ADDED),
        "file": name,
        "file_bytes": len(content),
        "file_sha256": hashlib.sha256(content).hexdigest(),
        "format": how,
        "keyset": "bytes",
        "license": license,
        "note": "made by a writer of our own from the published definition, not by the library" + checked,
        "params": params,
        "peer": peer,
        "probe_positives": [i for i in range(1000) if contains(f"probe-{i}".encode())],
    }
    denied = [i for i, key in enumerate(ADDED) if not contains(key)]
    assert denied == list(added_but_answered_false), denied
    (GOLDEN / folder / name).write_bytes(content)
    lines = (f" {json.dumps(key)}: {json.dumps(value, separators=(',', ':'))}" for key, value in sorted(said.items()))
    (GOLDEN / folder / (name + ".json")).write_text("{\n" + ",\n".join(lines) + "\n}\n")
