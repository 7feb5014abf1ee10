import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FlowPostgres } from '../../support/database/flow-postgres.js';
import { FlowStandby } from '../../support/database/flow-standby.js';
import { solidFile } from '../../support/images/flow-drawn.js';
import type { FlowClient } from '../../support/roles/flow-client.js';
import { FlowService } from '../../support/roles/flow-service.js';
import { eventually } from '../../support/roles/flow-wait.js';

const LISTS = ['/api/ai/enhance', '/api/ai/sources'] as const;

describe('lists from a read replica', () => {
  let primary: FlowPostgres;
  let standby: FlowStandby;
  let service: FlowService;
  let client: FlowClient;

  beforeAll(async () => {
    primary = await FlowPostgres.start();
    standby = await FlowStandby.follow(primary);
    service = await FlowService.start({
      databaseUrl: primary.databaseUrl,
      env: { DATABASE_READ_URL: standby.databaseUrl },
      roles: ['api', 'dispatcher'],
    });
    client = await service.client();
  });
  afterAll(async () => {
    await service?.close();
    await standby?.close();
    await primary?.close();
  });

  async function listed(path: string): Promise<readonly string[]> {
    const { status, json } = await client.request('GET', path);
    expect(status, JSON.stringify(json)).toBe(200);
    return (json['data'] as readonly { id: string }[]).map(({ id }) => id);
  }

  it('lag with the replica, while everything else is current', async () => {
    const known = await client.upload(await solidFile(16, 16, [90, 80, 70]));
    await standby.caughtUp(service.database);
    expect(await listed('/api/ai/sources')).toEqual([known.id]);

    await standby.database.rows('SELECT pg_wal_replay_pause()');
    const source = await client.upload(await solidFile(16, 16, [10, 20, 30]));
    const job = await client.create(source.url, { operation: 'smooth_skin' });
    expect(await listed('/api/ai/sources')).toEqual([known.id]);
    expect(await listed('/api/ai/enhance')).toEqual([]);
    expect(await client.job(job.id)).toMatchObject({ id: job.id, status: 'queued' });
    expect((await client.usage()).enhancements.used).toBe(1);

    await standby.database.rows('SELECT pg_wal_replay_resume()');
    await standby.caughtUp(service.database);
    expect(await listed('/api/ai/sources')).toEqual([source.id, known.id]);
    expect(await listed('/api/ai/enhance')).toEqual([job.id]);
    const readers = await standby.database.rows<{ name: string }>(
      `SELECT DISTINCT application_name AS name FROM pg_stat_activity WHERE application_name LIKE 'ies-%'`,
    );
    expect(readers).toEqual([{ name: 'ies-api-read' }]);
  });

  it('come from the primary while the replica is down', async () => {
    const source = await client.upload(await solidFile(16, 16, [1, 2, 3]));
    await standby.kill();
    expect(await listed('/api/ai/sources')).toContain(source.id);
    for (const path of LISTS) await listed(path);
    await eventually('a warning', () => {
      const { log } = service.role('api');
      return log.includes('the read replica cannot be reached') ? { found: true } : { seen: log.slice(-400) };
    });
  });
});
