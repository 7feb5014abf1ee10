import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Harness } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
beforeAll(async () => {
  harness = await sharedHarness();
});
afterAll(() => harness.close());

describe('GET /health/ready → 200', () => {
  it('when the database and the storage respond; no key is required', async () => {
    const { status, body } = await harness.call('GET', '/health/ready');
    expect(status).toBe(200);
    expect(body).toEqual({ status: 'ok', checks: { database: 'ok', storage: 'ok' } });
  });
});
