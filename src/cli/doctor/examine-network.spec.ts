import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../../config/env.js';
import { writeConnectionRecord } from '../../infra/database/embedded/connection-record.js';
import { freePort } from '../../infra/database/embedded/free-port.js';
import { examineNetwork } from './examine-network.js';

describe('the port, while a service runs on the data folder', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'ies-network-'));
    await writeConnectionRecord(dataDir, { port: 1, pid: process.pid });
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  const portFinding = async (host: string, port: number) =>
    (await examineNetwork({ ...readConfig({}), redisUrl: undefined, dataDir, host, port }))[0];

  it('may be in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect(await portFinding('127.0.0.1', port)).toMatchObject({
      status: 'ok',
      text: `127.0.0.1:${port} is in use, most likely by the service that runs on ${dataDir}`,
    });
  });

  it('is missing if the address is not one of this machine', async () => {
    const port = await freePort();
    expect(await portFinding('192.0.2.7', port)).toMatchObject({
      status: 'missing',
      text: `192.0.2.7:${port} cannot be used`,
      advice: 'HOST=192.0.2.7 is not an address of this machine.',
    });
  });
});
