import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CuttableProxy } from '../../support/network/cuttable-proxy.js';
import { type Harness, startHarness } from '../../support/app/harness.js';

let proxy: CuttableProxy;
let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({
    databaseUrl: async (real) => {
      proxy = await CuttableProxy.start(real);
      return proxy.urlOf(real);
    },
  });
});
afterAll(async () => {
  await harness.close();
  await proxy.close();
});

describe('GET /health/ready → 503', () => {
  it('names what is unavailable, and recovers when it is back', async () => {
    await proxy.cut();
    const { status, body, headers } = await harness.call('GET', '/health/ready');
    expect(status).toBe(503);
    expect(body).toMatchObject({ checks: { database: 'unavailable', storage: 'ok' } });
    expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
    await proxy.mend();
    expect((await harness.call('GET', '/health/ready')).status).toBe(200);
  });
});
