import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { generateApiKey } from '../../../src/auth/keys/api-key.js';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';
import { RawRequest } from '../../support/app/raw-request.js';

const LARGEST = 512 * 1024;
/** The largest bodies that fit into the share of one client. */
const HELD = 32;
/** The api reads 16 MB of bodies first, which takes a while on a busy machine. */
const SOON = { timeout: 60_000, interval: 200 };

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await startHarness();
  account = await harness.createAccount();
});
afterAll(() => harness.close());

/** Sends a body without its last byte. */
async function hold(path: string, headers: Readonly<Record<string, string>>): Promise<RawRequest> {
  const request = await RawRequest.open(harness.url, `POST ${path}`, {
    'Content-Type': 'application/json',
    'Content-Length': String(LARGEST),
    ...headers,
  });
  await request.write(Buffer.alloc(LARGEST - 1, ' '));
  return request;
}

const createBatch = (bytes: number): Promise<number> =>
  harness
    .call('POST', '/api/ai/batches', {
      key: account.key,
      json: { sourceUrls: ['x'.repeat(bytes)], operation: 'upscale' },
    })
    .then(({ status }) => status);

describe('bodies that are never completed', () => {
  it.each([
    ['with a made-up key', '/api/ai/batches', { 'x-api-key': generateApiKey().key }],
    ['without a session', '/dashboard/api/ai/batches', {}],
  ])(
    'take a limited amount of memory: %s',
    async (_, path, headers) => {
      const held = await Promise.all(Array.from({ length: HELD }, () => hold(path, headers)));
      try {
        await vi.waitFor(async () => expect(await createBatch(20_000)).toBe(503), SOON);
        const waiting = createBatch(20_000);
        // The other one arrives first.
        expect(await createBatch(2_000)).toBe(400);
        for (const request of held) await request.write(' ');
        expect(await waiting, 'a body that waits until others are complete').toBe(400);
      } finally {
        for (const request of held) request.abort();
      }
      await vi.waitFor(async () => expect(await createBatch(20_000)).toBe(400), SOON);
    },
    130_000,
  );
});
