// node-redis's bf and cf, written for RedisBloom, against a server with the module or `seen serve`, in both protocols, without a change. By hand:
//
//   npm install @redis/client @redis/bloom && redis-server --port 0 --unixsocket /tmp/s --loadmodule …/seen.so & node clients.mjs /tmp/s
import { createClient } from "@redis/client";
import module from "@redis/bloom";
import assert from "node:assert/strict";

const path = process.argv[2];
const texts = Array.from({ length: 200 }, (_, i) => String(i));

async function bf(client) {
  assert.equal(await client.bf.reserve("f", 0.001, 1000), "OK");
  await assert.rejects(client.bf.reserve("f", 0.001, 1000), /ERR item exists/);
  assert.equal(await client.bf.add("f", "a"), true);
  assert.equal(await client.bf.add("f", "a"), false);
  assert.deepEqual(await client.bf.mAdd("f", ["a", "b", "c"]), [false, true, true]);
  assert.deepEqual(await client.bf.insert("made", ["x", "y"], { CAPACITY: 100, ERROR: 0.01, EXPANSION: 2 }), [true, true]);
  assert.equal(await client.bf.exists("f", "b"), true);
  assert.equal(await client.bf.exists("f", "nothing"), false);
  assert.deepEqual(await client.bf.mExists("f", ["a", "nothing"]), [true, false]);
  assert.equal(await client.bf.card("f"), 3);
  const info = await client.bf.info("f");
  assert.deepEqual([info["Capacity"], info["Number of items inserted"]], [1000, 3]);

  assert.equal(await client.bf.reserve("grows", 0.01, 10, { EXPANSION: 4 }), "OK");
  await client.bf.mAdd("grows", texts);
  const binary = client.withTypeMapping({ 36: Buffer }); // bulk strings as they are
  for (let iterator = 0; ; ) {
    const next = await binary.bf.scanDump("grows", iterator);
    iterator = next.iterator;
    if (iterator === 0) break;
    assert.equal(await client.bf.loadChunk("copy", iterator, next.chunk), "OK");
  }
  assert.ok((await client.bf.mExists("copy", texts)).every(Boolean));
}

async function cf(client) {
  assert.equal(await client.cf.reserve("c", 1000), "OK");
  assert.equal(await client.cf.add("c", "a"), true);
  assert.equal(await client.cf.addNX("c", "a"), false);
  assert.deepEqual(await client.cf.insert("c", ["x", "y"]), [true, true]);
  assert.deepEqual(await client.cf.insertNX("c", ["x", "z"]), [0, 1]); // integers in both protocols, as RedisBloom's
  assert.equal(await client.cf.exists("c", "z"), true);
  assert.equal(await client.cf.count("c", "a"), 1);
  assert.equal(await client.cf.del("c", "a"), true);
  assert.equal((await client.cf.info("c"))["Number of items deleted"], 1);
}

for (const RESP of [2, 3]) {
  const client = createClient({ socket: { path }, modules: module.default ?? module, RESP });
  await client.connect();
  for (const key of ["f", "made", "grows", "copy", "c"]) await client.del(key);
  await bf(client);
  await cf(client);
  console.log(`RESP${RESP}: passed`);
  client.destroy();
}
