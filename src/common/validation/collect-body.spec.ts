import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ContentDigest } from '../requests/content-digest.js';
import { collectBody } from './collect-body.js';
import { JsonMemory } from './json-memory.js';

const digest = ContentDigest.of({ headers: {} });
const memory = (bytes: number) => new JsonMemory().body('client', bytes);

/** A request that is received as this stream. */
function requestOf(stream: Readable): IncomingMessage {
  Object.defineProperty(stream, 'complete', { get: () => stream.readableEnded, configurable: true });
  return stream as IncomingMessage;
}

describe('collectBody', () => {
  it('keeps no chunk, however small', async () => {
    const stream = new Readable({ read: () => undefined });
    const collected = collectBody(requestOf(stream), { bytes: 100 }, memory(100), digest);
    const chunk = Buffer.alloc(1);
    for (const byte of Buffer.from('ä€😀')) {
      chunk[0] = byte;
      stream.push(chunk);
      await setImmediate();
    }
    stream.push(null);
    expect((await collected).text()).toBe('ä€😀');
  });

  it('ends when the client disconnects', async () => {
    const stream = new Readable({ read: () => undefined });
    const body = collectBody(requestOf(stream), { bytes: 100 }, memory(100), digest);
    stream.destroy();
    await expect(body).rejects.toThrow('closed the connection');
    await expect(collectBody(requestOf(stream), { bytes: 100 }, memory(100), digest)).rejects.toThrow(
      'closed the connection',
    );
  });
});
