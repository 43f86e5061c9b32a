// Filters of Node libraries, written and asked by the libraries themselves. ../README.md has the contract:
//
//   main.js write FORMAT VARIANT N FPR OUT   keys on standard input, one a line, in hexadecimal
//   main.js ask FORMAT VARIANT FILE          prints 1 or 0 a line
'use strict'
const fs = require('fs')
const { BloomFilter } = require('bloom-filters')

// A peer is how bytes become what the library is given.
const peers = {
  'npm-bloom-filters': {
    bytes: bytes => bytes,
    str: bytes => bytes.toString('utf8'),
  },
}

function fail(message) {
  console.error('node: ' + message)
  process.exit(1)
}

const [verb, format, variant, ...rest] = process.argv.slice(2)
if (!(verb === 'write' && rest.length === 3) && !(verb === 'ask' && rest.length === 1)) {
  fail('usage: write FORMAT VARIANT N FPR OUT | ask FORMAT VARIANT FILE')
}
const given = peers[format]?.[variant]
if (!given) fail(`no ${format} ${variant} here`)
const lines = fs.readFileSync(0, 'latin1').split('\n').slice(0, -1)
const keys = lines.map(line => given(Buffer.from(line, 'hex')))
if (verb === 'write') {
  const [n, fpr, out] = rest
  const filter = BloomFilter.create(Number(n), Number(fpr))
  keys.forEach(key => filter.add(key))
  fs.writeFileSync(out, JSON.stringify(filter.saveAsJSON()))
} else {
  const filter = BloomFilter.fromJSON(JSON.parse(fs.readFileSync(rest[0], 'utf8')))
  process.stdout.write(keys.map(key => (filter.has(key) ? '1\n' : '0\n')).join(''))
}
