import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseUrlFor } from '../../../src/infra/database/embedded/database-url.js';
import { removeDataDir } from '../../../src/infra/database/embedded/staging.js';
import type { WorkerDto } from '../../../src/operator/workers/worker.dto.js';
import { adminAnswer } from '../../support/roles/admin-command.js';
import { createFlowAccount } from '../../support/roles/flow-account.js';
import { FlowClient } from '../../support/roles/flow-client.js';
import { BUSY_ORDER, busyFile } from '../../support/images/flow-drawn.js';
import { FlowSupervisor } from '../../support/roles/flow-supervisor.js';
import { eventually } from '../../support/roles/flow-wait.js';

/** Longer than the test may take, so only the supervisor can make the jobs continue. */
const JOB_LEASE_MS = 600_000;

describe('a supervised worker', () => {
  let dataDir: string;
  let supervisor: FlowSupervisor;
  let client: FlowClient;
  let databaseUrl: string;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'ies-flow-killed-'));
    // PostgreSQL's own user needs to traverse the folder when the tests run as root.
    await chmod(dataDir, 0o755);
    supervisor = await FlowSupervisor.start(dataDir, { JOB_LEASE_MS: String(JOB_LEASE_MS) });
    const line = await supervisor.ready();
    const baseUrl = /^Ready: (\S+)/.exec(line)![1]!;
    databaseUrl = (await databaseUrlFor({ dataDir, databaseUrl: undefined }))!;
    client = new FlowClient(baseUrl, (await createFlowAccount(databaseUrl)).key);
  });
  afterAll(async () => {
    await supervisor?.close();
    await removeDataDir(dataDir);
  });

  it('hands its three running jobs to the next worker at once when killed, without waiting for leases', async () => {
    const { url } = await client.upload(await busyFile());
    const jobs = await Promise.all([1, 2, 3].map(() => client.create(url, BUSY_ORDER)));
    for (const { id } of jobs) await client.until(id, 'processing');
    process.kill(supervisor.role('worker')!.pid, 'SIGKILL');
    const attempts: number[] = [];
    for (const { id } of jobs) {
      const job = await client.completed(id);
      expect(job.error).toBeNull();
      attempts.push(job.attempts);
    }
    // One may have completed just before the kill.
    expect(attempts.filter((count) => count === 2).length).toBeGreaterThanOrEqual(2);
    expect(supervisor.errors).toMatch(/released \d jobs? of an exited worker/);
  });

  it('is replaced when an operator restarts it', async () => {
    const workers = async () => (await adminAnswer(databaseUrl, 'worker', 'list')) as readonly WorkerDto[];
    const serving = (await workers()).find(({ state }) => state === 'serving');
    expect(serving).toMatchObject({ supervised: true });
    await adminAnswer(databaseUrl, 'worker', 'restart', serving!.id);
    const next = await eventually('another worker', async () => {
      const seen = await workers();
      const found = seen.find(({ id, state }) => id !== serving!.id && state === 'serving');
      return found === undefined ? { seen } : { found };
    });
    expect(next.pid).toBe(supervisor.role('worker')?.pid);
    expect(next.pid).not.toBe(serving!.pid);
  });
});
