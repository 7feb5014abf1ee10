/** Byte sequences that often cause parser errors. */
const INTERESTING = [
  [0x00],
  [0xff],
  [0x7f],
  [0x80],
  [0xff, 0xff],
  [0x7f, 0xff, 0xff, 0xff],
  [0xff, 0xff, 0xff, 0xff],
  [0x00, 0x00, 0x00, 0x00],
];
const MAX_CHANGES = 6;

const MUTATIONS = [
  (bytes, { integer }) => {
    const changed = Buffer.from(bytes);
    changed[integer(0, bytes.length - 1)] ^= 1 << integer(0, 7);
    return changed;
  },
  (bytes, { integer, pick }) => {
    const changed = Buffer.from(bytes);
    Buffer.from(pick(INTERESTING)).copy(changed, integer(0, bytes.length - 1));
    return changed;
  },
  (bytes, { integer }) => bytes.subarray(0, integer(0, bytes.length)),
  (bytes, { integer }) => {
    const [from, to] = rangeOf(bytes, integer);
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
  },
  (bytes, { integer }) => {
    const [from, to] = rangeOf(bytes, integer);
    return Buffer.concat([bytes.subarray(0, to), bytes.subarray(from, to), bytes.subarray(to)]);
  },
  (bytes, { integer }, other) => {
    const [from, to] = rangeOf(other, integer);
    const at = integer(0, bytes.length);
    return Buffer.concat([bytes.subarray(0, at), other.subarray(from, to), bytes.subarray(at)]);
  },
  (bytes, { integer }) => {
    // A big-endian length field with a value close to the original.
    if (bytes.length < 4) return bytes;
    const changed = Buffer.from(bytes);
    const at = integer(0, bytes.length - 4);
    changed.writeUInt32BE((changed.readUInt32BE(at) + integer(-8, 8)) >>> 0, at);
    return changed;
  },
];

/**
 * Mutates one of the seeds with one to six changes of bits, bytes, lengths, and parts.
 * @param seeds buffers, none empty
 * @param random of scripts/chaos/random.mjs
 */
export function mutated(seeds, random) {
  let bytes = random.pick(seeds);
  for (let left = random.integer(1, MAX_CHANGES); left > 0 && bytes.length > 0; left -= 1)
    bytes = random.pick(MUTATIONS)(bytes, random, random.pick(seeds));
  return bytes;
}

function rangeOf(bytes, integer) {
  const from = integer(0, bytes.length);
  return [from, Math.min(bytes.length, from + integer(1, 64))];
}
