import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { base64Answer } from './base64-answer.js';

function* piecesOf(bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe('base64Answer', () => {
  it.each([
    [0, 1],
    [10, 1],
    [11, 2],
    [12, 5],
    [200_000, 65_536],
    [200_000, 65_537],
  ])('encodes %i bytes that arrive in pieces of %i', async (sizeBytes, pieceBytes) => {
    const bytes = randomBytes(sizeBytes);
    const answer = base64Answer({ stream: Readable.from(piecesOf(bytes, pieceBytes)), sizeBytes });
    const body = await text(answer.getStream());
    expect(JSON.parse(body)).toEqual({ data: { result_b64: bytes.toString('base64') } });
    expect(answer.getHeaders()).toMatchObject({
      type: 'application/json; charset=utf-8',
      length: body.length,
    });
  });

  it('reads no more of the picture than the reader takes', async () => {
    const piece = Buffer.alloc(65_536);
    let pieces = 0;
    const stream = new Readable({
      read(): void {
        pieces += 1;
        this.push(pieces > 1_000 ? null : piece);
      },
    });
    const body = base64Answer({ stream, sizeBytes: piece.length * 1_000 }).getStream();
    for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(pieces).toBeGreaterThan(0);
    expect(pieces).toBeLessThan(10);
    body.destroy();
    await expect.poll(() => stream.destroyed).toBe(true);
  });

  it('passes on an error of the store', async () => {
    const stream = new Readable({
      read(): void {
        this.destroy(new Error('the store is away'));
      },
    });
    await expect(text(base64Answer({ stream, sizeBytes: 3 }).getStream())).rejects.toThrow(/away/);
  });
});
