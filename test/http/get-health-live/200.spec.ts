import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { examineNetwork } from '../../../src/cli/doctor/examine-network.js';
import { readConfig } from '../../../src/config/env.js';
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

  it('tells npm run doctor that this service uses the port', async () => {
    const other = createServer((_, response) => response.end('{"status":"ok"}')).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const portOf = async (PORT: string) =>
      (await examineNetwork(readConfig({ PORT, DATA_DIR: '/nowhere' }))).find(({ area }) => area === 'port');
    expect(await portOf(new URL(harness.url).port)).toMatchObject({ status: 'ok' });
    expect(await portOf(String((other.address() as AddressInfo).port))).toMatchObject({ status: 'missing' });
    other.close();
  });
});
