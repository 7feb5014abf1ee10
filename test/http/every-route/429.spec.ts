import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '../../support/app/harness.js';
import { newResult } from '../../support/app/results.js';
import { KEY_ROUTES, pathFor } from '../../support/app/routes.js';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

/** Whole seconds, like every time in the rate limit headers. */
const nowSeconds = (): number => Math.floor(Date.now() / 1_000);

describe('429 rate_limited', () => {
  it.each(KEY_ROUTES)('$method $path refuses a key that has used up its rate limit', async (route) => {
    const account = await harness.createAccount({ limits: { rpm: 3 } });
    // Another key creates what the path names, so that this costs the key under test nothing.
    const maker = await harness.createKey(account);
    const path = await pathFor(route, harness, { ...account, key: maker.key });
    for (const _ of [1, 2, 3]) await harness.call('GET', '/api/usage', { key: account.key });
    const before = await harness.footprint();
    const { status, headers, body } = await harness.call(route.method, path, { key: account.key });
    expect(status).toBe(429);
    expect(body).toMatchObject({ code: 'rate_limited' });
    expect(headers['x-ratelimit-limit']).toBe('3');
    expect(headers['x-ratelimit-remaining']).toBe('0');
    expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(120);
    expect(Number(headers['x-ratelimit-reset'])).toBeGreaterThanOrEqual(nowSeconds());
    expect(Number(headers['x-ratelimit-reset'])).toBeLessThanOrEqual(nowSeconds() + 121);
    expect(await harness.footprint()).toEqual(before);
  });

  it.each([
    ['free', 30],
    ['personal', 120],
    ['business', 600],
  ] as const)('gives the %s plan %i requests a minute', async (plan, rpm) => {
    const { key } = await harness.createAccount({ plan });
    const { headers } = await harness.call('GET', '/api/usage', { key });
    expect(headers['x-ratelimit-limit']).toBe(String(rpm));
    expect(headers['x-ratelimit-remaining']).toBe(String(rpm - 1));
  });

  it('counts down by one, even for errors', async () => {
    const { key } = await harness.createAccount({ limits: { rpm: 10 } });
    const calls = [
      () => harness.call('GET', '/api/usage', { key }),
      () => harness.call('GET', '/api/ai/enhance/nothing', { key }),
      () => harness.call('POST', '/api/ai/enhance', { key, json: {} }),
      () =>
        harness.call('POST', '/api/ai/upload', { key, body: 'x', headers: { 'content-type': 'text/plain' } }),
      () => harness.call('GET', '/api/nothing', { key }),
      () => harness.call('PUT', '/api/ai/enhance', { key }),
    ];
    const remaining = [];
    for (const call of calls) remaining.push(Number((await call()).headers['x-ratelimit-remaining']));
    expect(remaining).toEqual([9, 8, 7, 6, 5, 4]);
  });

  it('admits exactly the limit when many concurrent requests reach two processes', async () => {
    const limit = 12;
    const { key } = await harness.createAccount({ limits: { rpm: limit } });
    const second = await harness.another();
    try {
      const answers = await Promise.all(
        Array.from({ length: 10 * limit }, (_, index) =>
          (index % 2 === 0 ? harness : second).call('GET', '/api/usage', { key }),
        ),
      );
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(limit);
      expect(statuses.filter((status) => status === 429)).toHaveLength(9 * limit);
      const left = answers
        .filter(({ status }) => status === 200)
        .map(({ headers }) => Number(headers['x-ratelimit-remaining']))
        .toSorted((a, b) => a - b);
      expect(left).toEqual(Array.from({ length: limit }, (_, index) => index));
    } finally {
      await second.close();
    }
  });

  it('counts each key of an account separately', async () => {
    const account = await harness.createAccount({ limits: { rpm: 1 } });
    const second = await harness.createKey(account);
    await harness.call('GET', '/api/usage', { key: account.key });
    expect((await harness.call('GET', '/api/usage', { key: account.key })).status).toBe(429);
    expect((await harness.call('GET', '/api/usage', { key: second.key })).status).toBe(200);
  });

  it('counts the files that a key reads', async () => {
    const account = await harness.createAccount({ limits: { rpm: 3 } });
    const makers = [await harness.createKey(account), await harness.createKey(account)];
    const { id } = await harness.newSource({ ...account, key: makers[0]!.key });
    const result = await newResult(harness, { ...account, key: makers[1]!.key });
    const statuses = [];
    for (const name of [`${id}.jpg`, `${result.id}.png`, `${id}.jpg`, `${result.id}.png`, `${id}.jpg`]) {
      statuses.push((await harness.call('GET', `/files/${name}`, { key: account.key })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
  });
});
