import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { EnhanceQueue } from '../../../src/infra/queue/enhance-queue.js';
import { JobMessagesRepository } from '../../../src/jobs/queue/job-messages.repository.js';
import { LostMessages } from '../../../src/jobs/queue/lost-messages.js';
import { AvailableOperations } from '../../../src/models/serving/available-operations.js';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';
import { eventually } from '../../support/roles/flow-wait.js';

/** Longer than the api waits before it records sent messages. */
const RECORDED_MS = 700;

describe('notifications of new jobs', () => {
  let harness: Harness;
  let account: TestAccount;
  let listener: pg.Client;
  const heard: string[] = [];

  beforeAll(async () => {
    harness = await startHarness();
    account = await harness.createAccount();
    listener = new pg.Client({ connectionString: harness.databaseUrl });
    await listener.connect();
    listener.on('notification', ({ payload }) => heard.push(payload ?? ''));
    await listener.query('LISTEN job_changed');
  });
  afterEach(() => {
    vi.restoreAllMocks();
    heard.length = 0;
  });
  afterAll(async () => {
    await listener?.end();
    await harness?.close();
  });

  const times = (id: string): number => heard.filter((each) => each === id).length;
  const untilHeard = (id: string, attempt: () => Promise<void> = () => Promise.resolve()) =>
    eventually('the notification', async () => {
      await attempt();
      return times(id) > 0 ? { found: true } : { seen: heard };
    });

  it('are sent once per job, when its message is recorded as sent', async () => {
    const jobs: { id: string }[] = [];
    for (let index = 0; index < 5; index += 1) jobs.push(await harness.newJob(account));
    for (const { id } of jobs) await untilHeard(id);
    await new Promise((resolve) => setTimeout(resolve, RECORDED_MS));
    expect(jobs.map(({ id }) => times(id))).toEqual(jobs.map(() => 1));
  });

  it('are sent by the sweeper if the message could not be sent', async () => {
    vi.spyOn(harness.app.get(EnhanceQueue), 'addNew').mockRejectedValueOnce(new Error('queue away'));
    const { id } = await harness.newJob(account);
    await new Promise((resolve) => setTimeout(resolve, RECORDED_MS));
    expect(times(id)).toBe(0);
    const { app } = harness;
    const lost = new LostMessages(app.get(JobMessagesRepository), app.get(EnhanceQueue));
    await untilHeard(id, () => lost.enqueueForgotten());
  });

  it('are sent at once for a job that needs no message', async () => {
    const { id, sourceUrl } = await harness.newJob(account);
    await harness.jobs.complete(id);
    const operations = harness.app.get(AvailableOperations).operations();
    const { model } = operations.find(({ operation }) => operation === 'upscale')!;
    await harness.rows('UPDATE jobs SET model = $2::jsonb WHERE id = $1', [id, JSON.stringify(model)]);
    const reused = await harness.newJob(account, { sourceUrl, cache: true });
    expect(reused).toMatchObject({ status: 'completed', cached: true });
    await untilHeard(reused.id);
  });
});
