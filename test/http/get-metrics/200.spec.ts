import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../../src/infra/database/database.js';
import { QueueWorkRepository, SECONDS_PER_JOB } from '../../../src/jobs/queue/queue-work.repository.js';
import { testAccountOf } from '../../../src/kernel/accounts/livemode.js';
import { ModelWorkersRepository } from '../../../src/models/serving/model-workers.repository.js';
import { type Harness, startHarness } from '../../support/app/harness.js';

const TOKEN = 'what-prometheus-sends';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ env: { METRICS_TOKEN: TOKEN } });
});
afterAll(() => harness.close());

const read = (authorization?: string) =>
  fetch(`${harness.url}/metrics`, { headers: authorization === undefined ? {} : { authorization } });

/** The value of one series. */
async function series(start: string): Promise<number | undefined> {
  const lines = (await (await read(`Bearer ${TOKEN}`)).text()).split('\n');
  const line = lines.find((candidate) => candidate.startsWith(start));
  return line === undefined ? undefined : Number(line.split(' ').at(-1));
}

describe('GET /metrics', () => {
  it('reports the process in the Prometheus text format', async () => {
    const answer = await read(`Bearer ${TOKEN}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toContain('text/plain');
    expect(await answer.text()).toMatch(/^process_resident_memory_bytes\{role="api"\} \d+$/m);
  });

  it('reports the number of waiting jobs, and estimates their work from the speed of the workers', async () => {
    const account = await harness.createAccount();
    const { url } = await harness.newSource(account);
    await harness.newJob(account, { sourceUrl: url, operation: 'upscale', level: 'low' });
    await harness.newJob(account, { sourceUrl: url, operation: 'upscale', level: 'low' });
    await harness.newJob(account, { sourceUrl: url, operation: 'auto_enhance', level: 'low' });
    const upscale = 'operation="upscale",level="low",role="api"';
    expect(await series(`ies_queue_jobs{${upscale}}`)).toBe(2);
    const repository = harness.app.get(QueueWorkRepository);
    const pixels = 48 * 32;
    await repository.report([{ operation: 'upscale', level: 'low', pixels: 10 * pixels, seconds: 5 }]);
    expect(await series(`ies_queue_work_seconds{${upscale}}`)).toBeCloseTo(1 + 2 * SECONDS_PER_JOB);
    // No worker has run this one, so it counts as an average job.
    const other = 'operation="auto_enhance",level="low",role="api"';
    expect(await series(`ies_queue_work_seconds{${other}}`)).toBeCloseTo(0.5 + SECONDS_PER_JOB);
    // Old measurements fade: 0.9 × 5 s + 15.5 s for 0.9 × 10 + 10 jobs.
    await repository.report([{ operation: 'upscale', level: 'low', pixels: 10 * pixels, seconds: 15.5 }]);
    expect(await series(`ies_queue_work_seconds{${upscale}}`)).toBeCloseTo(
      (2 * 20) / 19 + 2 * SECONDS_PER_JOB,
    );
    expect(await series(`ies_queue_oldest_seconds{${upscale}}`)).toBeGreaterThanOrEqual(0);
    for (const { id } of await harness.rows<{ id: string }>('SELECT id FROM jobs'))
      await harness.jobs.complete(id);
    expect(await series(`ies_queue_jobs{${upscale}}`)).toBeUndefined();
  });

  it('counts waiting test jobs, which the length of the queue leaves out', async () => {
    const account = await harness.createAccount();
    const { key, id: keyId } = await harness.createKey(account, { livemode: false });
    const test = { id: testAccountOf(account.id), key, keyId };
    const jobs = () => series('ies_queue_test_jobs{role="api"}');
    expect(await jobs()).toBe(0);
    const { id } = await harness.newJob(test);
    await harness.newJob(account);
    expect(await jobs()).toBe(1);
    expect(await series('ies_queue_jobs{operation="upscale"')).toBe(1);
    await harness.jobs.complete(id);
    expect(await jobs()).toBe(0);
  });

  it('reports a version that only a draining worker has loaded, until another can run its jobs', async () => {
    const workers = new ModelWorkersRepository(harness.app.get(Database));
    const [kept, lost] = ['upscale/low/2/false', 'upscale/low/3/false'];
    const like = { host: 'here', pid: 1, device: 'cpu', operations: [], refusals: [] };
    const serving = {
      ...like,
      id: 'wrk_new',
      versions: [{ operation: 'upscale', version: 1 }],
      kinds: [kept],
    };
    const versions = [{ operation: 'upscale', version: 2 }];
    const replaced = { ...like, id: 'wrk_old', versions, kinds: [kept, lost] };
    for (const worker of [serving, replaced]) await workers.announce(worker);
    expect(await workers.soleKinds(replaced.id, replaced.kinds)).toEqual([lost]);
    await workers.drain(replaced.id);
    const metric = 'ies_model_refusals{operation="upscale",version="2",role="api"}';
    await expect.poll(() => series(metric)).toBe(1);
    const { body } = await harness.call('GET', '/health/models');
    expect(body).toMatchObject({ status: 'degraded', refusals: [{ operation: 'upscale', version: '2' }] });
    await workers.announce({ ...serving, id: 'wrk_third', versions, kinds: [lost] });
    await expect.poll(() => series(metric)).toBeUndefined();
    expect(await workers.soleKinds(replaced.id, replaced.kinds)).toEqual([]);
    await harness.rows('DELETE FROM model_workers');
  });

  it('requires the token, and accepts no API key', async () => {
    const { key } = await harness.createAccount();
    for (const authorization of [undefined, 'Bearer wrong', `Bearer ${key}`, TOKEN])
      expect((await read(authorization)).status, authorization).toBe(401);
  });

  it('does not exist without a configured token', async () => {
    const other = await harness.another({ env: {} });
    try {
      expect((await fetch(`${other.url}/metrics`)).status).toBe(404);
    } finally {
      await other.close();
    }
  });
});
