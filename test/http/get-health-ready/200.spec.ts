import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '../../support/app/harness.js';
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

describe('GET /health/ready with full storage → 200', () => {
  let full: Harness;
  beforeAll(async () => {
    full = await startHarness({ env: { DISK_RESERVE_BYTES: '1000000000000000' } });
  });
  afterAll(() => full?.close());

  it('names the storage; uploads are refused', async () => {
    const { status, body } = await full.call('GET', '/health/ready');
    expect({ status, body }).toEqual({
      status: 200,
      body: { status: 'ok', checks: { database: 'ok', storage: 'full' }, freeBytes: expect.any(Number) },
    });
    const { key } = await full.createAccount();
    expect((await full.upload(key, Buffer.alloc(100))).status).toBe(503);
  });
});
