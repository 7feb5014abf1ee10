import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type BodyBytes, JsonMemory } from './json-memory.js';

const SMALL = 16 * 1024;
const LARGEST = 512 * 1024;
const MAX_OF_CLIENT = 32;
const MOST = 128;
const WAIT_MS = 10_000;
const REFUSED = { code: 'service_unavailable', retryAfterSeconds: 2 };

describe('JsonMemory', () => {
  let memory: JsonMemory;
  beforeEach(() => {
    vi.useFakeTimers();
    memory = new JsonMemory();
  });
  afterEach(() => void vi.useRealTimers());

  /** The beginnings of bodies. */
  const begin = async (count: number, clientOf: (index: number) => string): Promise<BodyBytes[]> => {
    const bodies = Array.from({ length: count }, (_, index) => memory.body(clientOf(index), LARGEST));
    for (const body of bodies) await body.add(SMALL + 1);
    return bodies;
  };

  /**
   * @param others bodies that continue to arrive meanwhile
   * @returns the error, or undefined for a body whose memory is free in time
   */
  const refusalOf = async (body: BodyBytes, others: readonly BodyBytes[] = []): Promise<unknown> => {
    const outcome = Promise.resolve(body.add(LARGEST)).then(
      () => undefined,
      (error: unknown) => error,
    );
    for (let waitedMs = 0; waitedMs < WAIT_MS; waitedMs += 1_000) {
      await vi.advanceTimersByTimeAsync(1_000);
      for (const other of others) void other.add(1_000);
    }
    return outcome;
  };

  it('refuses a body when its client holds too many for too long, and takes those of others', async () => {
    const bodies = await begin(MAX_OF_CLIENT, () => 'a');
    expect(await refusalOf(memory.body('a', SMALL + 1), bodies)).toMatchObject(REFUSED);
    expect(await refusalOf(memory.body('b', LARGEST))).toBeUndefined();
    bodies[0]!.release();
    expect(await refusalOf(memory.body('a', LARGEST))).toBeUndefined();
  });

  it('refuses a body when all clients hold too many for too long', async () => {
    const bodies = await begin(MOST, (index) => `client ${index}`);
    expect(await refusalOf(memory.body('another', LARGEST), bodies)).toMatchObject(REFUSED);
  });

  it('lets bodies wait, and those that have begun continue meanwhile', async () => {
    const bodies = await begin(MAX_OF_CLIENT, () => 'a');
    const waiting = [memory.body('a', LARGEST), memory.body('a', LARGEST)];
    const taken: number[] = [];
    const all = waiting.map((body, index) =>
      Promise.resolve(body.add(LARGEST)).then(() => taken.push(index)),
    );
    await vi.advanceTimersByTimeAsync(WAIT_MS / 2);
    expect(taken).toEqual([]);
    for (const body of bodies) await body.add(LARGEST - SMALL - 1);
    bodies[0]!.release();
    await vi.advanceTimersByTimeAsync(0);
    expect(taken).toEqual([0]);
    bodies[1]!.release();
    await Promise.all(all);
  });

  it('always takes small bodies, and returns the memory of others once', async () => {
    const [first, ...others] = await begin(MAX_OF_CLIENT, () => 'a');
    await memory.body('a', LARGEST).add(SMALL);
    first!.release();
    first!.release();
    others.push(memory.body('a', LARGEST));
    await others.at(-1)!.add(LARGEST);
    expect(await refusalOf(memory.body('a', LARGEST), others)).toMatchObject(REFUSED);
  });

  it('takes the memory of bodies that do not arrive, and tells them', async () => {
    const bodies = [memory.body('a', LARGEST), ...(await begin(MAX_OF_CLIENT - 1, () => 'a'))];
    const errors: unknown[] = [];
    await bodies[0]!.add(SMALL + 1, (error) => errors.push(error));
    expect(await refusalOf(memory.body('a', LARGEST), bodies.slice(1))).toBeUndefined();
    expect(errors).toMatchObject([{ ...REFUSED, detail: expect.stringContaining('too slowly') as string }]);
  });
});
