import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { solidFile } from '../../support/images/flow-drawn.js';
import { FlowService } from '../../support/roles/flow-service.js';
import { eventually } from '../../support/roles/flow-wait.js';

/** Less than the time for which the row is held. */
const JOB_LEASE_MS = '6000';

/** The statements that complete jobs and wait for a row, by the time when they started. */
const WAITING = `SELECT query_start::text AS start FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'
    AND query LIKE '%UPDATE jobs SET status = ''completed''%'`;

describe('a row that another transaction holds while a job ends', () => {
  let service: FlowService;

  beforeAll(async () => {
    service = await FlowService.start({ models: ['smooth_skin'], env: { JOB_LEASE_MS } });
  });
  afterAll(async () => {
    await service?.close();
  });

  it('delays the job, which keeps its lease and its result', async () => {
    const client = await service.client();
    const { url } = await client.upload(await solidFile(16, 16, [90, 80, 70]));
    const tries = new Set<string>();
    const id = await service.database.whileHeld(
      'SELECT * FROM storage_usage WHERE account_id = $1 FOR UPDATE',
      [client.account.accountId],
      async () => {
        const created = await client.create(url, { operation: 'smooth_skin' });
        await eventually('the worker to try again', async () => {
          for (const { start } of await service.database.rows<{ start: string }>(WAITING)) tries.add(start);
          const { status } = await service.database.job(created.id);
          return tries.size >= 3 || status === 'failed' ? { found: true } : { seen: { tries, status } };
        });
        return created.id;
      },
    );
    const job = await client.completed(id);
    expect(job).toMatchObject({ attempts: 1, error: null });
    expect(await service.database.job(id)).toMatchObject({ claims: 1, machine_faults: 0 });
    expect(await client.bytesAt(job.resultUrl!)).toHaveLength(job.result!.bytes);
    expect(await service.database.ledger(id)).toEqual(['commit', 'reserve']);
  });
});
