import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Harness } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
beforeAll(async () => {
  harness = await sharedHarness();
});
afterAll(() => harness.close());

describe('GET /health/live → 200', () => {
  it('with any key or none', async () => {
    for (const options of [{}, { key: 'nonsense' }]) {
      const { status, body } = await harness.call('GET', '/health/live', options);
      expect([status, body]).toEqual([200, { status: 'ok' }]);
    }
  });
});
