import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitSecondsOf } from '../../../src/common/requests/prefer-wait.decorator.js';
import { JobChanges } from '../../../src/jobs/updates/job-changes.js';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await startHarness();
  account = await harness.createAccount();
});
afterAll(() => harness.close());

const wait = (id: string, prefer = 'wait=30', on = harness) =>
  on.call('GET', `/api/ai/enhance/${id}`, { key: account.key, headers: { prefer } });
const watchers = () => harness.app.get(JobChanges).watchers;
const someoneWaits = () => expect.poll(watchers).toBeGreaterThan(0);

describe('Prefer: wait on a job', () => {
  it('answers when the job has completed', async () => {
    const { id } = await harness.newJob(account);
    const answer = wait(id);
    await someoneWaits();
    await harness.jobs.complete(id);
    const { status, body, headers } = await answer;
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, status: 'completed' });
    expect(headers['preference-applied']).toBe('wait=30');
    expect(watchers()).toBe(0);
  });

  it('answers when the job has failed, or at once if it failed before', async () => {
    const { id } = await harness.newJob(account);
    const answer = wait(id);
    await someoneWaits();
    await harness.jobs.fail(id);
    expect((await answer).body).toMatchObject({ status: 'failed' });
    expect((await wait(id)).body).toMatchObject({ status: 'failed' });
  });

  it('returns the unfinished job when the time is up', async () => {
    const { id } = await harness.newJob(account);
    const { body, headers } = await wait(id, 'respond-async, wait=1');
    expect(body).toMatchObject({ status: 'queued' });
    expect(headers['preference-applied']).toBe('wait=1');
    expect(watchers()).toBe(0);
  });

  it('returns 410 when the job is deleted meanwhile, and 404 for a job that the account does not have', async () => {
    const { id } = await harness.newJob(account);
    const answer = wait(id);
    await someoneWaits();
    await harness.call('DELETE', `/api/ai/enhance/${id}`, { key: account.key });
    expect((await answer).status).toBe(410);
    expect((await wait('job_nothing')).status).toBe(404);
    const stranger = await harness.createAccount();
    const theirs = await harness.newJob(stranger);
    expect((await wait(theirs.id)).status).toBe(404);
    expect(watchers()).toBe(0);
  });

  it('does not reveal another account’s job while that account waits for it', async () => {
    const stranger = await harness.createAccount();
    const { id } = await harness.newJob(stranger);
    const theirs = harness.call('GET', `/api/ai/enhance/${id}`, {
      key: stranger.key,
      headers: { prefer: 'wait=30' },
    });
    await someoneWaits();
    expect((await wait(id)).status).toBe(404);
    await harness.jobs.complete(id);
    expect((await theirs).body).toMatchObject({ id, status: 'completed' });
  });

  it('stops waiting when the client disconnects', async () => {
    const { id } = await harness.newJob(account);
    const outgoing = request(`${harness.url}/api/ai/enhance/${id}`, {
      headers: { 'x-api-key': account.key, prefer: 'wait=30' },
    });
    outgoing.on('error', () => undefined);
    outgoing.end();
    await someoneWaits();
    outgoing.destroy();
    await expect.poll(watchers).toBe(0);
  });

  it('answers waiting requests when the process shuts down', async () => {
    const second = await harness.another();
    const { id } = await harness.newJob(account);
    const answer = wait(id, 'wait=30', second);
    await expect.poll(() => second.app.get(JobChanges).watchers).toBe(1);
    const [{ status, body }] = await Promise.all([answer, second.close()]);
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'queued' });
  });

  it('answers at once when too many requests are already waiting', async () => {
    const full = await harness.another({ env: { MAX_WAITING_REQUESTS: '0' } });
    try {
      const { id } = await harness.newJob(account);
      const { status, headers } = await wait(id, 'wait=30', full);
      expect(status).toBe(200);
      expect(headers).not.toHaveProperty('preference-applied');
    } finally {
      await full.close();
    }
  });

  it('delays the response to a new job, and to its idempotent repetition', async () => {
    const { url } = await harness.newSource(account);
    const headers = { prefer: 'wait=30', 'idempotency-key': 'once' };
    const create = () => harness.createJob(account.key, { operation: 'upscale', sourceUrl: url }, headers);
    const first = create();
    await someoneWaits();
    const [row] = await harness.rows<{ id: string }>('SELECT id FROM jobs ORDER BY id DESC LIMIT 1');
    await harness.jobs.complete(row!.id);
    const { status, body } = await first;
    expect(status).toBe(201);
    expect(body).toMatchObject({ id: row!.id, status: 'completed' });
    const again = await create();
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.body).toMatchObject({ id: row!.id, status: 'completed' });
  });

  it.each([
    ['wait=5', 5],
    ['wait = "7"', 7],
    ['respond-async, WAIT=9; x=1', 9],
    ['wait=60', 55],
    ['wait=3600', 55],
    ['wait=0', 0],
    ['wait=-1', 0],
    ['wait=1.5', 0],
    ['wait=soon', 0],
    ['await=5', 0],
    ['', 0],
  ])('reads "%s" as %i s', (prefer, seconds) => {
    expect(waitSecondsOf(prefer)).toBe(seconds);
  });
});
