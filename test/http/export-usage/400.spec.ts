import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Harness } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
let key: string;
beforeAll(async () => {
  harness = await sharedHarness();
  ({ key } = await harness.createAccount());
});
afterAll(() => harness.close());

describe('GET /api/usage/export → 400', () => {
  it.each([
    ['from=yesterday', 'from'],
    ['from=2026-02-30', 'from'],
    ['to=2026-1-1', 'to'],
    ['to=2026-01-01T00:00:00Z', 'to'],
    ['from=2026-01-02&to=2026-01-01', 'from'],
    ['from=2999-01-01', 'from'],
    ['from=0000-01-01', 'from'],
    ['to=0001-01-01', 'to'],
    ['days=30', 'days'],
  ])('refuses ?%s', async (query, field) => {
    const { status, body } = await harness.call('GET', `/api/usage/export?${query}`, { key });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'invalid_request', errors: [{ field }] });
  });
});
