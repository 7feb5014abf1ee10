import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readConfig } from '../../config/env.js';
import { SLOW_AFTER_MS } from '../../kernel/concurrency/held-places.js';
import { ClientDisconnected } from '../../uploads/receiving/received-file.js';
import { escapedBase64Bytes } from './base64-size.js';
import { BodyMemory, type LentMemory } from './body-memory.js';

const WAIT_MS = 3_000;
const LARGEST = escapedBase64Bytes(20 * 2 ** 20);

interface Body {
  /** Whether it has its memory; the error when it was refused. */
  state: unknown;
  /** Ends the request. */
  readonly end: () => void;
}

describe('BodyMemory', () => {
  let memory: BodyMemory;

  beforeEach(() => {
    vi.useFakeTimers();
    memory = new BodyMemory(readConfig({ UPLOAD_SLOT_WAIT_MS: String(WAIT_MS) }));
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  async function receive(
    account: string,
    bytes: number,
    { isOver = false, gone = new AbortController().signal } = {},
  ): Promise<Body> {
    let end = (): void => undefined;
    const over = new Promise<void>((resolve) => (end = resolve));
    const body: Body = { state: 'waiting', end };
    const work = async ({ reserve, revoked }: LentMemory): Promise<void> => {
      revoked.addEventListener('abort', () => (body.state = 'revoked'));
      const reserved = reserve(bytes).then(
        () => (body.state = 'held'),
        (error: unknown) => (body.state = error),
      );
      if (!isOver) await reserved;
      await over;
    };
    void memory.lend(account, gone, work);
    await vi.advanceTimersByTimeAsync(0);
    return body;
  }

  it('refuses a body over the share of its account, and keeps memory for others', async () => {
    const bodies = [await receive('a', LARGEST), await receive('a', LARGEST)];
    const third = await receive('a', 1);
    const other = await receive('b', LARGEST);
    await vi.advanceTimersByTimeAsync(WAIT_MS);
    expect(bodies.map(({ state }) => state)).toEqual(['held', 'held']);
    expect(third.state).toMatchObject({ code: 'too_many_uploads', retryAfterSeconds: 2 });
    expect(other.state).toBe('held');
  });

  it('refuses a body for which the process has no memory left', async () => {
    for (const account of ['a', 'a', 'b', 'b']) await receive(account, LARGEST);
    const refused = await receive('c', 20_000);
    await vi.advanceTimersByTimeAsync(WAIT_MS);
    expect(refused.state).toMatchObject({ code: 'service_unavailable', retryAfterSeconds: 2 });
  });

  it('cancels a body that makes no progress when another one waits, once its sender is slow', async () => {
    const bodies = [await receive('a', LARGEST), await receive('a', LARGEST)];
    await vi.advanceTimersByTimeAsync(2 * SLOW_AFTER_MS);
    expect(bodies.map(({ state }) => state)).toEqual(['held', 'held']);
    const third = await receive('a', LARGEST);
    await vi.advanceTimersByTimeAsync(1);
    expect([...bodies, third].map(({ state }) => state)).toEqual(['revoked', 'held', 'held']);
  });

  it('lets a body wait until others have ended', async () => {
    const bodies = [
      await receive('a', LARGEST),
      await receive('a', LARGEST / 2),
      await receive('a', LARGEST),
    ];
    await vi.advanceTimersByTimeAsync(WAIT_MS - 1);
    bodies[1]!.end();
    await vi.advanceTimersByTimeAsync(WAIT_MS);
    expect(bodies.map(({ state }) => state)).toEqual(['held', 'held', 'held']);
  });

  it('frees the memory of a request that failed while it waited', async () => {
    const bodies = [await receive('a', LARGEST), await receive('a', LARGEST)];
    const failed = await receive('a', LARGEST, { isOver: true });
    failed.end();
    bodies[0]!.end();
    await vi.advanceTimersByTimeAsync(0);
    expect(failed.state).toBe('held');
    expect((await receive('a', LARGEST)).state).toBe('held');
  });

  it('gives no memory to a client that has disconnected', async () => {
    const bodies = [await receive('a', LARGEST), await receive('a', LARGEST)];
    const client = new AbortController();
    const waiting = await receive('a', LARGEST, { gone: client.signal });
    client.abort();
    await vi.advanceTimersByTimeAsync(0);
    expect(waiting.state).toBeInstanceOf(ClientDisconnected);
    bodies[0]!.end();
    await vi.advanceTimersByTimeAsync(0);
    expect((await receive('a', LARGEST, { gone: client.signal })).state).toBeInstanceOf(ClientDisconnected);
    expect((await receive('a', LARGEST)).state).toBe('held');
  });
});
