import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JobLeaseRepository } from '../../../src/jobs/queue/job-lease.repository.js';
import { JobMessagesRepository } from '../../../src/jobs/queue/job-messages.repository.js';
import { eventually } from '../../support/roles/flow-wait.js';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';

const LEASE_MS = 60_000;

describe('claims and messages of a job', () => {
  let harness: Harness;
  let account: TestAccount;
  let leases: JobLeaseRepository;
  let messages: JobMessagesRepository;

  beforeAll(async () => {
    harness = await startHarness();
    account = await harness.createAccount();
    leases = harness.app.get(JobLeaseRepository);
    messages = harness.app.get(JobMessagesRepository);
  });
  afterAll(() => harness?.close());

  async function waiting(id: string) {
    return (await messages.unenqueued(0, 500, new Date(0))).jobs.find((job) => job.id === id);
  }

  it('a released claim costs no attempt, and its number is never reused', async () => {
    const { id } = await harness.newJob(account);
    const first = { jobId: id, token: 'first' };
    expect(await leases.claim(first, LEASE_MS)).toEqual({ attempt: 1, number: 1 });
    expect(await leases.release(first)).toBe(true);
    expect(await leases.release(first)).toBe(false);
    expect(await leases.claim({ jobId: id, token: 'second' }, LEASE_MS)).toEqual({ attempt: 1, number: 2 });
  });

  it('a released job needs a new message at once, whatever was sent before', async () => {
    const { id } = await harness.newJob(account);
    const lease = { jobId: id, token: 'any' };
    await leases.claim(lease, LEASE_MS);
    await leases.release(lease);
    await messages.markEnqueued([{ id, claims: 0 }]);
    expect(await waiting(id)).toEqual({ id, claims: 1, forgotten: true });
    await messages.markEnqueued([{ id, claims: 1 }]);
    expect(await waiting(id)).toBeUndefined();
  });

  it('a new job is recorded as enqueued once the queue has its message', async () => {
    const { id } = await harness.newJob(account);
    await eventually('the note', async () =>
      (await waiting(id)) === undefined ? { found: true } : { seen: 'still without' },
    );
    await harness.rows(`UPDATE jobs SET enqueued_at = now() - interval '2 minutes' WHERE id = $1`, [id]);
    expect(await waiting(id)).toEqual({ id, claims: 0, forgotten: false });
  });
});
