import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JobChanges } from '../../../src/jobs/updates/job-changes.js';
import { EventReader } from '../../support/app/event-reader.js';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await startHarness();
  account = await harness.createAccount();
});
afterAll(() => harness.close());

const follow = (id: string, lastEventId?: string) => EventReader.open(harness, account.key, id, lastEventId);
const states = ({ events }: EventReader) => events.map(({ job }) => `${job.status} ${job.progress}`);

describe('GET /api/ai/enhance/:id/events → 200', () => {
  it('sends every state from queued to completed, then ends', async () => {
    const { id } = await harness.newJob(account);
    const reader = await follow(id);
    expect(reader.answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(reader.answer.headers.get('x-ratelimit-remaining')).toMatch(/^\d+$/);
    await expect.poll(() => states(reader)).toContain('queued 0');
    const lease = await harness.jobs.claim(id);
    await expect.poll(() => states(reader)).toContain('processing 0');
    await harness.jobs.progress(lease, 0.5);
    await expect.poll(() => states(reader)).toContain('processing 0.5');
    await harness.jobs.completeLease(lease, Buffer.from('pixels'));
    await reader.ended;
    expect(states(reader).at(-1)).toBe('completed 1');
    const polled = await harness.call('GET', `/api/ai/enhance/${id}`, { key: account.key });
    const { resultUrl: _, sourceUrl: __, ...job } = polled.body as Record<string, unknown>;
    expect(reader.events.at(-1)!.job).toMatchObject(job);
  });

  it('sends the queue position, and updates it as the job moves up', async () => {
    const first = await harness.newJob(account);
    const second = await harness.newJob(account);
    const reader = await follow(second.id);
    await expect.poll(() => reader.events.at(-1)?.queuePosition).toBe(2);
    await harness.jobs.complete(first.id);
    await expect.poll(() => reader.events.at(-1)?.queuePosition).toBe(1);
    await harness.jobs.claim(second.id);
    await expect.poll(() => reader.events.at(-1)?.job.status).toBe('processing');
    expect(reader.events.at(-1)!.queuePosition).toBeNull();
    await reader.leave();
  });

  it('sends a reconnecting client what it missed, and nothing twice', async () => {
    const { id } = await harness.newJob(account);
    const before = await follow(id);
    await expect.poll(() => before.events.length).toBeGreaterThan(0);
    await before.leave();
    const known = before.events.at(-1)!.id;
    const quiet = await follow(id, known);
    const lease = await harness.jobs.claim(id);
    await expect.poll(() => states(quiet)).toContain('processing 0');
    // A new queue position is sent; the state that the client already knows is not.
    expect(
      quiet.events.filter(({ id: event, queuePosition }) => event === known && queuePosition === null),
    ).toEqual([]);
    await quiet.leave();
    await harness.jobs.completeLease(lease, Buffer.from('pixels'));
    const after = await follow(id, known);
    await after.ended;
    expect(states(after)).toEqual(['completed 1']);
  });

  it('ends with the error of a job that fails', async () => {
    const { id } = await harness.newJob(account);
    const reader = await follow(id);
    await harness.jobs.fail(id, 'undecodable_image');
    await reader.ended;
    expect(reader.events.at(-1)!.job).toMatchObject({
      status: 'failed',
      error: { code: 'undecodable_image' },
    });
  });

  it('ends when the job is deleted', async () => {
    const { id } = await harness.newJob(account);
    const reader = await follow(id);
    await harness.call('DELETE', `/api/ai/enhance/${id}`, { key: account.key });
    await reader.ended;
    expect(reader.answer.status).toBe(200);
  });

  it('ends when the job is deleted with its account', async () => {
    const leaving = await harness.createAccount();
    const { id } = await harness.newJob(leaving);
    const reader = await EventReader.open(harness, leaving.key, id);
    await expect.poll(() => states(reader)).toEqual(['queued 0']);
    await harness.rows('DELETE FROM accounts WHERE id = $1', [leaving.id]);
    await reader.ended;
    expect(states(reader)).toEqual(['queued 0']);
  });

  it('keeps nothing open for a HEAD request', async () => {
    const { id } = await harness.newJob(account);
    const headers = { 'x-api-key': account.key };
    const answer = await fetch(`${harness.url}/api/ai/enhance/${id}/events`, { method: 'HEAD', headers });
    expect(answer.status).toBe(200);
    await expect.poll(() => harness.app.get(JobChanges).watchers).toBe(0);
  });

  it('ends when the process shuts down, so that the client connects to another', async () => {
    const second = await harness.another();
    const { id } = await harness.newJob(account);
    const reader = await EventReader.open(second, account.key, id);
    await expect.poll(() => states(reader)).toEqual(['queued 0']);
    await second.close();
    await reader.ended;
  });
});
