import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ImageEnhancement } from '../../../../clients/js/src/node.js';
import {
  scriptedJson as json,
  scriptedProblem as problem,
  ScriptedService,
} from '../../../support/clients/scripted-service.js';

const GET = 'GET /api/ai/enhance/job_1';
const LIMITS = {
  'x-ratelimit-limit': '60',
  'x-ratelimit-remaining': '59',
  'x-ratelimit-reset': '1767323045',
};

/** What a client returns with a response besides its body. */
describe('a response', () => {
  let service: ScriptedService;
  let client: ImageEnhancement;
  beforeAll(async () => {
    service = await ScriptedService.start();
    client = new ImageEnhancement({ baseUrl: service.baseUrl, apiKey: 'ies_secret' });
  });
  afterAll(() => service.close());

  it('includes its request id and rate limit, even after a retry', async () => {
    const busy = problem(503, 'service_unavailable', { 'retry-after': '0' });
    const good = json(200, { data: [] }, { ...LIMITS, 'x-request-id': 'req_9' });
    service.script({ 'GET /api/ai/operations': [busy, good] });
    await expect(client.operations().withResponse()).resolves.toMatchObject({
      data: [],
      status: 200,
      requestId: 'req_9',
      rateLimit: { limit: 60, remaining: 59, resetsAt: new Date('2026-01-02T03:04:05Z') },
    });
  });

  it('has no rate limit when a server in between answered', async () => {
    service.script({ [GET]: [json(200, { id: 'job_1' })] });
    await expect(client.jobs.get('job_1').withResponse()).resolves.toMatchObject({
      data: { id: 'job_1' },
      rateLimit: null,
      requestId: null,
    });
  });

  it('of a failed call rejects as the call does', async () => {
    service.script({ [GET]: [problem(404, 'not_found')] });
    await expect(client.jobs.get('job_1').withResponse()).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each([
    ['maxRetries is 0', { maxRetries: 0 }],
    ['its timeout is shorter than the wait', { timeoutMs: 5_000 }],
  ])('429 is thrown at once when %s', async (_, options) => {
    service.script({ [GET]: [problem(429, 'rate_limited', { 'retry-after': '30' })] });
    await expect(client.jobs.get('job_1', options)).rejects.toMatchObject({
      name: 'RateLimitError',
      retryAfterSeconds: 30,
    });
    expect(service.seen).toHaveLength(1);
  });
});
