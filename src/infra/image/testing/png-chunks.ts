import { crc32, deflateSync } from 'node:zlib';

/** Handmade PNG, for files that no encoder would write. */

export const PNG_SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** One chunk with its length and a correct checksum. */
export function pngChunk(type: string, data: Uint8Array = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))]);
}

/** The header chunk of an 8-bit RGB image. */
export function pngHeader(width: number, height: number): Buffer {
  return pngChunk('IHDR', Buffer.concat([uint32(width), uint32(height), Buffer.from([8, 2, 0, 0, 0])]));
}

/** 60,000 × 60,000 pixels in under 2 kB: a correct header and checksums, but hardly any pixels. */
export function hugePng(width = 60_000, height = 60_000): Buffer {
  const pixels = pngChunk('IDAT', deflateSync(Buffer.alloc(1000)));
  return Buffer.concat([PNG_SIGNATURE, pngHeader(width, height), pixels, pngChunk('IEND')]);
}

/** An animated PNG of `frames` identical 8 × 8 frames. */
export function animatedPng(frames = 2): Buffer {
  const size = 8;
  const pixels = deflateSync(Buffer.alloc(size * (1 + size * 3)));
  const parts = [PNG_SIGNATURE, pngHeader(size, size)];
  parts.push(pngChunk('acTL', Buffer.concat([uint32(frames), uint32(0)])));
  let sequence = 0;
  for (let frame = 0; frame < frames; frame++) {
    const place = [sequence++, size, size, 0, 0].map(uint32);
    parts.push(pngChunk('fcTL', Buffer.concat([...place, Buffer.from([0, 10, 0, 100, 0, 0])])));
    parts.push(
      frame === 0 ? pngChunk('IDAT', pixels) : pngChunk('fdAT', Buffer.concat([uint32(sequence++), pixels])),
    );
  }
  return Buffer.concat([...parts, pngChunk('IEND')]);
}

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
