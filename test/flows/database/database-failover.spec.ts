import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { examineDatabase } from '../../../src/cli/doctor/examine-database.js';
import { readConfig } from '../../../src/config/env.js';
import { FlowPostgres } from '../../support/database/flow-postgres.js';
import { FlowStandby } from '../../support/database/flow-standby.js';
import { BUSY_ORDER, busyFile, solidFile } from '../../support/images/flow-drawn.js';
import { CuttableProxy } from '../../support/network/cuttable-proxy.js';
import type { Answer, FlowClient } from '../../support/roles/flow-client.js';
import { FlowService } from '../../support/roles/flow-service.js';
import { eventually } from '../../support/roles/flow-wait.js';

const TINY_ORDER = { operation: 'smooth_skin' } as const;
const ROLES = ['api', 'worker', 'dispatcher'] as const;

describe('a failover of PostgreSQL to its standby', () => {
  let primary: FlowPostgres;
  let standby: FlowStandby;
  let address: CuttableProxy;
  let service: FlowService;
  let client: FlowClient;

  beforeAll(async () => {
    primary = await FlowPostgres.start();
    standby = await FlowStandby.follow(primary);
    address = await CuttableProxy.start(primary.databaseUrl);
    service = await FlowService.start({
      models: ['smooth_skin', 'upscale'],
      databaseUrl: address.urlOf(primary.databaseUrl),
    });
    client = await service.client();
    await service.database.listen();
  });
  afterAll(async () => {
    await service?.close();
    await address?.close();
    await standby?.close();
    await primary?.close();
  });

  function expectUnavailable({ status, headers, json }: Answer): void {
    expect({ status, json }).toMatchObject({ status: 503, json: { code: 'service_unavailable' } });
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  }

  it('returns 503 while the database is read-only, loses nothing and needs no restart', async () => {
    const pids = ROLES.map((role) => service.role(role).pid);
    const busyUrl = (await client.upload(await busyFile())).url;
    const tinyUrl = (await client.upload(await solidFile(16, 16, [90, 80, 70]))).url;
    const running = await client.create(busyUrl, BUSY_ORDER);
    await client.until(running.id, 'processing');
    const waiting = await client.create(tinyUrl, TINY_ORDER);
    await standby.caughtUp(service.database);
    expect(await examineDatabase(readConfig({ DATABASE_URL: standby.databaseUrl }))).toMatchObject([
      { status: 'missing', text: expect.stringContaining('read-only') as string },
    ]);
    const replica = { DATABASE_URL: primary.databaseUrl, DATABASE_READ_URL: standby.databaseUrl };
    expect(await examineDatabase(readConfig(replica))).toMatchObject([{ status: 'ok' }, { status: 'ok' }]);

    await address.cut();
    await primary.kill();
    expectUnavailable(await client.request('GET', `/api/ai/enhance/${running.id}`));
    address.retarget(standby.databaseUrl);
    await address.mend();
    const order = { sourceUrl: tinyUrl, ...TINY_ORDER };
    await eventually('the api to reach the standby, which is read-only', async () => {
      expectUnavailable(await client.request('POST', '/api/ai/enhance', order));
      const { log } = service.role('api');
      return log.includes('read-only transaction') ? { found: true } : { seen: log.slice(-400) };
    });
    for (let count = 0; count < 10; count += 1) {
      const key = { 'idempotency-key': 'through-the-failover' };
      expectUnavailable(await client.request('POST', '/api/ai/enhance', order, key));
    }
    for (const role of ['worker', 'dispatcher'] as const)
      await eventually(`the ${role} to wait`, () =>
        /recovery|read-only/.test(service.role(role).log)
          ? { found: true }
          : { seen: service.role(role).log },
      );

    await standby.database.rows('SELECT pg_promote(true, 60)');
    const after = await eventually('an order to be taken', async () => {
      const key = { 'idempotency-key': 'through-the-failover' };
      const answer = await client.request('POST', '/api/ai/enhance', order, key);
      if (answer.status === 201) return { found: answer.json['id'] as string };
      expectUnavailable(answer);
      return { seen: answer.json };
    });
    for (const id of [running.id, waiting.id, after]) {
      await client.completed(id);
      expect(await service.database.ledger(id)).toEqual(['commit', 'reserve']);
      expect(await service.database.events(id)).toEqual([
        'enhancement.completed',
        'enhancement.queued',
        'image.completed',
        'job.completed',
      ]);
    }
    expect((await client.usage()).enhancements.used).toBe(3);
    expect((await service.files()).results).toHaveLength(3);
    expect(ROLES.map((role) => service.role(role).pid)).toEqual(pids);
  });
});
