import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ImageEnhancement, signTestHeader, verifyWebhook } from '../../../../clients/js/src/node.js';
import { isVerdict } from '../../../../clients/js/src/http/unacknowledged-attempts.js';
import { ApiError } from '../../../../clients/js/src/errors.js';
import {
  scriptedJson as json,
  scriptedProblem as problem,
  ScriptedService,
} from '../../../support/clients/scripted-service.js';

const CREATE = 'POST /api/ai/enhance';
const UPLOAD = 'POST /api/ai/upload';
const GET = 'GET /api/ai/enhance/job_1';
const EVENTS = `${GET}/events`;
const SOURCE = 'https://service/files/src_1.png';
const JOB = { id: 'job_1', status: 'queued', progress: 0, attempts: 0, error: null };
const DONE = { ...JOB, status: 'completed', resultUrl: SOURCE, result: {} };
/** Values that are neither smaller nor larger than a number, or are not numbers, as untyped code may pass them. */
const SILENT = [NaN, '300', {}, true] as unknown as readonly number[];
const refused = (name: string) => ({
  code: 'invalid_option',
  message: expect.stringMatching(`^${name} must be a .*number`) as unknown,
});

describe('the limits of a client', () => {
  let service: ScriptedService;
  const clientWith = (limits: object) =>
    new ImageEnhancement({ baseUrl: service.baseUrl, apiKey: 'ies_x', ...limits });
  beforeAll(async () => {
    service = await ScriptedService.start();
  });
  afterAll(() => service.close());

  it.each([...SILENT, Infinity, -1])('reject a webhook tolerance of %j', async (wrong) => {
    const body = '{"id":"evt_1","type":"ping","data":{}}';
    const old = await signTestHeader(body, 'whsec_x', { timestampSeconds: 1000 });
    const { webhooks } = clientWith({});
    for (const verify of [verifyWebhook, webhooks.verify]) {
      await expect(verify(body, old, 'whsec_x', { toleranceSeconds: wrong })).rejects.toMatchObject(
        refused('toleranceSeconds'),
      );
    }
    // Checked first, so that a wrong setting shows with the first webhook.
    await expect(verifyWebhook(body, null, 'whsec_x', { toleranceSeconds: wrong })).rejects.toMatchObject(
      refused('toleranceSeconds'),
    );
    const exact = { toleranceSeconds: 0, nowSeconds: 1000 };
    expect(await verifyWebhook(body, old, 'whsec_x', exact)).toMatchObject({ type: 'ping' });
  });

  it.each([NaN, Infinity, '1000' as unknown as number])('reject %j as the current time', async (wrong) => {
    const header = await signTestHeader('{}', 'whsec_x', { timestampSeconds: 1000 });
    await expect(verifyWebhook('{}', header, 'whsec_x', { nowSeconds: wrong })).rejects.toMatchObject(
      refused('nowSeconds'),
    );
  });

  it.each(['timeoutMs', 'maxRetries', 'maxRateLimitWaitMs'])('reject a bad %s of a client', (name) => {
    for (const wrong of SILENT) {
      expect(() => clientWith({ [name]: wrong })).toThrow(expect.objectContaining(refused(name)));
    }
    if (name !== 'timeoutMs') expect(() => clientWith({ [name]: -1 })).toThrow(/of at least 0, not -1/);
  });

  it('reject a bad timeout or retry count of one call before anything is sent', async () => {
    service.script({ [GET]: [json(200, DONE)] });
    const client = clientWith({});
    const image = new Uint8Array(9);
    const timeoutMs = NaN;
    for (const call of [
      () => client.jobs.wait('job_1', { timeoutMs }),
      () => client.enhance(image, { operation: 'upscale', timeoutMs }),
      () => client.upload(image, { timeoutMs }),
      () => client.jobs.get('job_1', { timeoutMs }),
      () => client.result('job_1', { timeoutMs }),
    ]) {
      await expect(call()).rejects.toMatchObject(refused('timeoutMs'));
    }
    const maxRetries = NaN;
    for (const call of [
      () => client.jobs.get('job_1', { maxRetries }),
      () => client.enhance(image, { operation: 'upscale', maxRetries }),
    ]) {
      await expect(call()).rejects.toMatchObject(refused('maxRetries'));
    }
    expect(service.seen).toEqual([]);
    expect(await client.jobs.get('job_1', { timeoutMs: Infinity })).toMatchObject({ id: 'job_1' });
  });

  describe('for rate-limited requests', () => {
    const limited = (after: string) => problem(429, 'rate_limited', { 'retry-after': after });

    it('do not end the wait for a job', async () => {
      const client = clientWith({ maxRateLimitWaitMs: 0 });
      service.script({
        [EVENTS]: [problem(404, 'not_found')],
        [GET]: [limited('0'), limited('0'), json(200, DONE)],
      });
      expect(await client.jobs.wait('job_1')).toMatchObject({ status: 'completed' });
      expect(service.seen).toHaveLength(4);
      service.script({
        [EVENTS]: [limited('0'), limited('0'), problem(404, 'not_found')],
        [GET]: [json(200, DONE)],
      });
      expect(await client.jobs.wait('job_1')).toMatchObject({ status: 'completed' });
      expect(service.seen).toHaveLength(4);
    });

    it('make the wait pause as long as Retry-After says', async () => {
      const client = clientWith({ maxRateLimitWaitMs: 0 });
      const at: number[] = [];
      const noted =
        (reply: typeof unavailable) =>
        (...given: Parameters<typeof unavailable>) => {
          at.push(performance.now());
          reply(...given);
        };
      const unavailable = limited('2');
      service.script({
        [EVENTS]: [problem(404, 'not_found')],
        [GET]: [noted(unavailable), noted(json(200, DONE))],
      });
      await client.jobs.wait('job_1');
      expect(at[1]! - at[0]!).toBeGreaterThanOrEqual(1_995);
    });

    it('end the wait after too many failed authentications', async () => {
      const wrongKey = problem(429, 'too_many_failed_authentications', { 'retry-after': '0' });
      service.script({ [EVENTS]: [wrongKey] });
      const failed = clientWith({ maxRateLimitWaitMs: 0 }).jobs.wait('job_1');
      await expect(failed).rejects.toMatchObject({ name: 'RateLimitError' });
      expect(service.seen).toHaveLength(1);
    });

    it('apply to each request of a call', async () => {
      service.script({
        [UPLOAD]: [limited('1'), json(200, { url: SOURCE })],
        [CREATE]: [limited('1'), json(201, JOB)],
        [EVENTS]: [problem(404, 'not_found')],
        [GET]: [json(200, DONE)],
      });
      // Enough for one of the two refusals, including jitter, but not for both.
      const client = clientWith({ maxRateLimitWaitMs: 2_000 });
      const { job } = await client.enhance(new Uint8Array(9), { operation: 'upscale' });
      expect(job.status).toBe('completed');
    });
  });

  it('allow a retry after 425, which proves nothing about earlier attempts', async () => {
    service.script({ [CREATE]: [problem(425, 'http_425', { 'retry-after': '0' }), json(201, JOB)] });
    const job = await clientWith({}).jobs.create({ sourceUrl: SOURCE, operation: 'upscale' });
    expect(job.id).toBe('job_1');
    expect(service.seen).toHaveLength(2);
    expect(new Set(service.seen.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
    const answer = (status: number) =>
      new ApiError({ status, requestId: null, problem: {}, retryAfterSeconds: null });
    expect([425, 400].map((status) => isVerdict(answer(status)))).toEqual([false, true]);
  });
});
