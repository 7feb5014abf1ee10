import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Database } from '../../../src/infra/database/database.js';
import { JobChanges } from '../../../src/jobs/updates/job-changes.js';
import { EventReader } from '../../support/app/event-reader.js';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';

const CLIENTS = 1_000;

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await startHarness();
  account = await harness.createAccount();
});
afterAll(() => harness.close());

/** Records the statements that this process sends from now on; `stop` returns them and ends the recording. */
function countStatements(): { readonly names: () => string[]; readonly stop: () => string[] } {
  const spy = vi.spyOn(harness.app.get(Database), 'query');
  const names = (): string[] =>
    spy.mock.calls.map(([statement]) => (typeof statement === 'string' ? statement : statement.name));
  const stop = (): string[] => {
    const all = names();
    spy.mockRestore();
    return all;
  };
  return { names, stop };
}

const readsAmong = (names: readonly string[]): number =>
  names.filter((name) => name === 'job_find_together').length;

const wait = async (id: string): Promise<{ status: string }> => {
  const headers = { 'x-api-key': account.key, prefer: 'wait=60' };
  const answer = await fetch(`${harness.url}/api/ai/enhance/${id}`, { headers });
  return answer.json() as Promise<{ status: string }>;
};

/** Clients count as waiting before each has read the job for the first time, so wait for those reads, too. */
async function everybodyWaits(count: number): Promise<void> {
  await expect
    .poll(() => harness.app.get(JobChanges).watchers, { timeout: 60_000, interval: 50 })
    .toBe(count);
  const { names, stop } = countStatements();
  let before = -1;
  const isQuiet = (): boolean => {
    const now = readsAmong(names());
    const same = now === before;
    before = now;
    return same;
  };
  await expect.poll(isQuiet, { timeout: 20_000, interval: 500 }).toBe(true);
  stop();
}

describe('a thousand clients of one process', () => {
  it('that wait for one job cause one read per change', async () => {
    const { id } = await harness.newJob(account);
    const waiting = Array.from({ length: CLIENTS / 2 }, () => wait(id));
    const readers = await Promise.all(
      Array.from({ length: CLIENTS / 2 }, () => EventReader.open(harness, account.key, id)),
    );
    await everybodyWaits(CLIENTS);
    // One query a second tells all of them the queue position.
    await expect
      .poll(() => readers.every(({ events }) => events.at(-1)?.queuePosition === 1), { timeout: 20_000 })
      .toBe(true);
    const lease = await harness.jobs.claim(id);
    await expect
      .poll(() => readers.every(({ events }) => events.at(-1)?.job.status === 'processing'), {
        timeout: 20_000,
      })
      .toBe(true);
    const { stop } = countStatements();
    await harness.jobs.progress(lease, 0.5);
    await expect
      .poll(() => readers.every(({ events }) => events.at(-1)?.job.progress === 0.5), { timeout: 20_000 })
      .toBe(true);
    await harness.jobs.completeLease(lease, Buffer.from('pixels'));
    await Promise.all(readers.map(({ ended }) => ended));
    const answers = await Promise.all(waiting);
    const names = stop();
    expect(answers.every(({ status }) => status === 'completed')).toBe(true);
    expect(readers.every(({ events }) => events.at(-1)!.job.status === 'completed')).toBe(true);
    // Two changes: the progress and the end. The worker's own writes use the same object here.
    expect(readsAmong(names)).toBe(2);
    expect(names.filter((name) => name === 'queue_positions')).toEqual([]);
  });

  it('that wait for a hundred jobs cause at most one read per change', async () => {
    const { url } = await harness.newSource(account);
    const ids: string[] = [];
    for (let index = 0; index < 100; index += 1)
      ids.push((await harness.newJob(account, { sourceUrl: url })).id);
    const waiting = Array.from({ length: CLIENTS }, (_, index) => wait(ids[index % ids.length]!));
    await everybodyWaits(CLIENTS);
    const { stop } = countStatements();
    for (const id of ids) await harness.jobs.complete(id);
    const answers = await Promise.all(waiting);
    const names = stop();
    expect(answers.every(({ status }) => status === 'completed')).toBe(true);
    const reads = readsAmong(names);
    expect(reads).toBeGreaterThan(0);
    // Each job changes twice: claimed, completed.
    expect(reads).toBeLessThanOrEqual(2 * ids.length);
  });
});
