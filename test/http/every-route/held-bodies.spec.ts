import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { generateApiKey } from '../../../src/auth/keys/api-key.js';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';
import { RawRequest } from '../../support/app/raw-request.js';

const LARGEST = 512 * 1024;
/** The largest bodies that fit into the share of one client. */
const HELD = 32;
/** Of this, the bodies send the first part at once, and the rest at 4 kB/s: enough to keep their memory for a minute. */
const FIRST = 256 * 1024;
const [DRIP, DRIP_MS] = [Buffer.alloc(1_024, ' '), 250];
/** The api reads 8 MB of bodies first, which takes a while on a busy machine. */
const SOON = { timeout: 60_000, interval: 200 };

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await startHarness();
  account = await harness.createAccount();
});
afterAll(() => harness.close());

interface Held {
  readonly request: RawRequest;
  /** Sends the rest of the body at once. */
  readonly complete: () => Promise<void>;
  /** Sends no more bytes. */
  readonly stall: () => void;
}

/** Sends a body that keeps arriving, but slowly. */
async function hold(path: string, headers: Readonly<Record<string, string>>): Promise<Held> {
  const request = await RawRequest.open(harness.url, `POST ${path}`, {
    'Content-Type': 'application/json',
    'Content-Length': String(LARGEST),
    ...headers,
  });
  await request.write(Buffer.alloc(FIRST, ' '));
  let left = LARGEST - FIRST;
  const timer = setInterval(() => {
    left -= DRIP.length;
    if (left > DRIP.length) void request.write(DRIP);
    else clearInterval(timer);
  }, DRIP_MS);
  const stall = (): void => clearInterval(timer);
  return {
    request,
    stall,
    complete: async () => {
      stall();
      await request.write(Buffer.alloc(left, ' '));
    },
  };
}

const createBatch = (bytes: number): Promise<number> =>
  harness
    .call('POST', '/api/ai/batches', {
      key: account.key,
      json: { sourceUrls: ['x'.repeat(bytes)], operation: 'upscale' },
    })
    .then(({ status }) => status);

describe('bodies that are never completed', () => {
  let held: Held[];
  beforeEach(() => void (held = []));
  afterEach(() => {
    for (const { request, stall } of held) {
      stall();
      request.abort();
    }
  });

  it.each([
    ['with a made-up key', '/api/ai/batches', { 'x-api-key': generateApiKey().key }],
    ['without a session', '/dashboard/api/ai/batches', {}],
  ])(
    'take a limited amount of memory: %s',
    async (_, path, headers) => {
      held = await Promise.all(Array.from({ length: HELD }, () => hold(path, headers)));
      await vi.waitFor(async () => expect(await createBatch(20_000)).toBe(503), SOON);
      const waiting = createBatch(20_000);
      // The other one arrives first.
      expect(await createBatch(2_000)).toBe(400);
      await Promise.all(held.map((body) => body.complete()));
      expect(await waiting, 'a body that waits until others are complete').toBe(400);
    },
    130_000,
  );

  it('lose their memory when they stop arriving and another body waits', async () => {
    const headers = { 'x-api-key': generateApiKey().key };
    held = await Promise.all(Array.from({ length: HELD }, () => hold('/api/ai/batches', headers)));
    await vi.waitFor(async () => expect(await createBatch(20_000)).toBe(503), SOON);
    for (const { stall } of held) stall();
    expect(await createBatch(20_000)).toBe(400);
    const refused = (): number => held.filter(({ request }) => request.hasAnswer).length;
    // Their responses may arrive after that of the request that got their memory.
    await expect.poll(refused).toBeGreaterThan(0);
    expect(refused()).toBeLessThan(HELD);
  }, 130_000);
});
