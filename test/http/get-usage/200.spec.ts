import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Harness } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
beforeAll(async () => {
  harness = await sharedHarness();
});
afterAll(() => harness.close());

/** The first instant of the next month, UTC. */
function nextMonth(): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString();
}

describe('GET /api/usage', () => {
  it.each([
    ['free', 30, 50, 1],
    ['personal', 120, 2_000, 50],
    ['business', 600, 20_000, 500],
  ] as const)('returns the limits of the %s plan', async (plan, rpm, enhancements, gigabytes) => {
    const { key } = await harness.createAccount({ plan });
    const { status, body, headers } = await harness.call('GET', '/api/usage', { key });
    expect(status).toBe(200);
    expect(body).toEqual({
      plan,
      period: new Date().toISOString().slice(0, 7),
      requestsPerMinute: { limit: rpm },
      enhancements: { limit: enhancements, used: 0, remaining: enhancements, resetsAt: nextMonth() },
      storage: {
        limitBytes: gigabytes * 2 ** 30,
        usedBytes: 0,
        remainingBytes: gigabytes * 2 ** 30,
      },
    });
    expect(headers['x-ratelimit-limit']).toBe(String(rpm));
  });

  it('returns the limits agreed with an enterprise account', async () => {
    const { key } = await harness.createAccount({
      plan: 'enterprise',
      limits: { rpm: 7, enhancements: 8, storageBytes: 9 },
    });
    const { body } = await harness.call('GET', '/api/usage', { key });
    expect(body).toMatchObject({
      plan: 'enterprise',
      requestsPerMinute: { limit: 7 },
      enhancements: { limit: 8 },
      storage: { limitBytes: 9 },
    });
  });

  it('counts the bytes of sources and results, and jobs that were not refunded', async () => {
    const account = await harness.createAccount();
    const source = await harness.newSource(account);
    const [done, failed] = await Promise.all([
      harness.newJob(account, { sourceUrl: source.url }),
      harness.newJob(account, { sourceUrl: source.url }),
      harness.newJob(account, { sourceUrl: source.url }),
    ]);
    await harness.jobs.complete(done.id, Buffer.alloc(1_000));
    await harness.jobs.fail(failed.id);
    const { body } = await harness.call('GET', '/api/usage', { key: account.key });
    expect(body).toMatchObject({
      enhancements: { used: 2 },
      storage: { usedBytes: source.bytes + 1_000 },
    });
  });

  it('is shared by all keys of an account, and with no other account', async () => {
    const account = await harness.createAccount();
    const other = await harness.createAccount();
    const second = await harness.createKey(account, { scopes: ['webhook:manage'] });
    await harness.newJob(account);
    const answers = await Promise.all(
      [account.key, second.key, other.key].map((key) => harness.call('GET', '/api/usage', { key })),
    );
    expect(answers.map(({ body }) => (body as { enhancements: { used: number } }).enhancements.used)).toEqual(
      [1, 1, 0],
    );
  });
});
