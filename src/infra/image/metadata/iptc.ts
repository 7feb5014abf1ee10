const HEADER = Buffer.from('Photoshop 3.0\0', 'latin1');
const SIGNATURE = '8BIM';
const IPTC_RESOURCE = 0x04_04;
/** Signature, id, empty name, length. */
const RESOURCE_HEAD_BYTES = 12;
/** Maximum data of one JPEG segment. */
const MAX_BLOCK_BYTES = 65_533;

/**
 * The IPTC part of a Photoshop block (APP13 of a JPEG), as a separate block without thumbnails, paths and whatever else
 * Photoshop stores there. Undefined when there is none; never throws.
 */
export function iptcBlock(block: Buffer): Buffer | undefined {
  if (!block.subarray(0, HEADER.length).equals(HEADER)) return undefined;
  for (let at = HEADER.length; at + RESOURCE_HEAD_BYTES <= block.length;) {
    if (block.toString('latin1', at, at + 4) !== SIGNATURE) return undefined;
    const id = block.readUInt16BE(at + 4);
    // The name and its length are padded to an even number of bytes, like the data.
    const sizeAt = at + 6 + even(1 + block[at + 6]!);
    if (sizeAt + 4 > block.length) return undefined;
    const size = block.readUInt32BE(sizeAt);
    const data = block.subarray(sizeAt + 4, sizeAt + 4 + size);
    if (data.length < size) return undefined;
    if (id === IPTC_RESOURCE) return blockOf(data);
    at = sizeAt + 4 + even(size);
  }
  return undefined;
}

/** Inserts the block into a JPEG, in a segment after the leading APPn segments. */
export function withIptc(jpeg: Buffer, block: Buffer): Buffer {
  let at = 2;
  while (jpeg[at] === 0xff && (jpeg[at + 1]! & 0xf0) === 0xe0) at += 2 + jpeg.readUInt16BE(at + 2);
  const head = Buffer.from([0xff, 0xed, 0, 0]);
  head.writeUInt16BE(block.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, at), head, block, jpeg.subarray(at)]);
}

function blockOf(data: Buffer): Buffer | undefined {
  const head = Buffer.alloc(RESOURCE_HEAD_BYTES);
  head.write(SIGNATURE, 'latin1');
  head.writeUInt16BE(IPTC_RESOURCE, 4);
  head.writeUInt32BE(data.length, 8);
  const block = Buffer.concat([HEADER, head, data, Buffer.alloc(data.length % 2)]);
  return block.length <= MAX_BLOCK_BYTES ? block : undefined;
}

const even = (length: number): number => length + (length % 2);
