import { getQueueToken } from '@nestjs/bullmq';
import type { Queue } from 'bullmq';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ENHANCE_QUEUE, EnhanceQueue } from '../../../src/infra/queue/enhance-queue.js';
import { JobMessagesRepository } from '../../../src/jobs/queue/job-messages.repository.js';
import { LostMessages } from '../../../src/jobs/queue/lost-messages.js';
import { QueueGauge } from '../../../src/jobs/queue/queue-gauge.js';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';
import { photo } from '../../support/images/images.js';
import { eventually } from '../../support/roles/flow-wait.js';

const BACKLOG = 120;
const NEW_JOBS = 40;
/** The api sends and records messages four times a second. */
const MESSAGES_PER_NOTE = 10;

describe('job messages in a long queue', () => {
  let harness: Harness;
  let account: TestAccount;
  let sourceUrl: string;
  let queue: Queue;

  beforeAll(async () => {
    harness = await startHarness();
    account = await harness.createAccount();
    queue = harness.app.get<Queue>(getQueueToken(ENHANCE_QUEUE));
    ({ url: sourceUrl } = await harness.newSource(account));
    await harness.newBatch(account, { sourceUrls: Array(BACKLOG).fill(sourceUrl) });
    await eventually('the messages of the batch', async () => {
      const count = await queue.getWaitingCount();
      return count === BACKLOG && (await unrecorded()) === 0 ? { found: true } : { seen: count };
    });
    // Jobs that are created during the first reading still get messages of their own.
    await readAgain();
    await harness.newJob(account, { sourceUrl });
    expect(harness.app.get(QueueGauge).isBacklogged).toBe(true);
    await eventually('its message', async () => ((await unrecorded()) === 0 ? { found: true } : {}));
  });
  afterEach(() => void vi.restoreAllMocks());
  afterAll(() => harness?.close());

  async function unrecorded(): Promise<number> {
    const [row] = await harness.rows<{ jobs: number }>(
      `SELECT count(*)::int AS jobs FROM jobs WHERE status = 'queued' AND enqueued_at IS NULL`,
    );
    return row!.jobs;
  }

  /** The api checks the length of the queue with the next live job, at most once a second. */
  const readAgain = () => new Promise((resolve) => setTimeout(resolve, 1_100));

  async function createJobs(): Promise<{ notes: number; ids: string[] }> {
    await readAgain();
    const notes = vi.spyOn(harness.app.get(JobMessagesRepository), 'markEnqueued');
    const creations = Array.from({ length: NEW_JOBS }, () => harness.newJob(account, { sourceUrl }));
    const ids = (await Promise.all(creations)).map(({ id }) => id);
    await eventually('the notes', async () =>
      (await unrecorded()) === 0 ? { found: true } : { seen: await unrecorded() },
    );
    return { notes: notes.mock.calls.length, ids };
  }

  const sweep = () =>
    new LostMessages(
      harness.app.get(JobMessagesRepository),
      harness.app.get(EnhanceQueue),
    ).enqueueForgotten();
  const waitingIds = async () => (await queue.getWaiting()).map(({ id }) => id!.replace(/-\d+$/, ''));

  it('are shared, and every job is recorded as enqueued', async () => {
    const before = new Set(await waitingIds());
    const { notes, ids } = await createJobs();
    const sent = (await waitingIds()).filter((id) => !before.has(id));
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.length).toBeLessThanOrEqual(notes * MESSAGES_PER_NOTE);
    expect(sent.length).toBeLessThan(NEW_JOBS);
    expect(ids).toEqual(expect.arrayContaining(sent));
  });

  it('are left to the sweeper if they cannot be sent', async () => {
    await readAgain();
    const adding = vi
      .spyOn(harness.app.get(EnhanceQueue), 'addNew')
      .mockRejectedValue(new Error('queue away'));
    const { id } = await harness.newJob(account, { sourceUrl });
    await expect.poll(() => adding.mock.calls).toContainEqual([id]);
    adding.mockRestore();
    expect(await unrecorded()).toBe(1);
    // Jobs count as forgotten two seconds after their creation.
    await eventually('the sweep', async () => {
      await sweep();
      return (await unrecorded()) === 0 ? { found: true } : { seen: 'unrecorded' };
    });
    expect(await waitingIds()).toContain(id);
  });

  it('are not shared with test jobs, which do not wait behind live ones', async () => {
    await readAgain();
    const key = await harness.createKey(account, { livemode: false });
    const source = await harness.upload(key.key, await photo(48, 32, 'jpeg'));
    const adding = vi.spyOn(harness.app.get(EnhanceQueue), 'addNew');
    // A live job, so that the api checks the length of the queue.
    await harness.newJob(account, { sourceUrl });
    const answer = await harness.createJob(key.key, {
      operation: 'upscale',
      sourceUrl: (source.body as { url: string }).url,
    });
    expect(answer.status, answer.text).toBe(201);
    expect(adding.mock.calls).toEqual([[(answer.body as { id: string }).id]]);
  });

  it('are resent for a few of the jobs whose message is old', async () => {
    await harness.rows(`UPDATE jobs SET enqueued_at = now() - interval '2 minutes' WHERE status = 'queued'`);
    const adding = vi.spyOn(harness.app.get(EnhanceQueue), 'addMany');
    await sweep();
    expect(adding.mock.calls.map(([jobs]) => jobs.length)).toEqual([10]);
    const [row] = await harness.rows<{ old: number }>(
      `SELECT count(*)::int AS old FROM jobs WHERE status = 'queued' AND enqueued_at < now() - interval '1 minute'`,
    );
    expect(row!.old).toBe(0);
  });
});
