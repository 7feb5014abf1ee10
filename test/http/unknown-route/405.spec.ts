import { METHODS, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
});
afterAll(() => harness.close());

/** Not with `fetch`, which refuses some of the methods. @returns the status and the `Allow` header */
const answerTo = (method: string, path: string): Promise<readonly [number, string | undefined]> =>
  new Promise((resolve, reject) => {
    request(`${harness.url}${path}`, { method }, (response) => {
      resolve([response.statusCode!, response.headers.allow]);
      response.resume();
    })
      .once('error', reject)
      .end();
  });

describe('a route with an unsupported method → 405', () => {
  it.each([
    ['GET', '/api/ai/upload', 'POST'],
    ['PUT', '/api/ai/enhance', 'GET, HEAD, POST'],
    ['PATCH', '/api/ai/enhance/job_1', 'DELETE, GET, HEAD'],
    ['PATCH', '/api/ai/enhance/job_1?x=1', 'DELETE, GET, HEAD'],
    ['DELETE', '/api/usage', 'GET, HEAD'],
    ['QUERY', '/api/ai/enhance', 'GET, HEAD, POST'],
    ['PROPFIND', '/api/ai/enhance', 'GET, HEAD, POST'],
  ])('%s %s', async (method, path, allow) => {
    const { status, body, headers } = await harness.call(method, path, { key: account.key });
    expect([status, (body as { code: string }).code]).toEqual([405, 'method_not_allowed']);
    expect(headers['allow']).toBe(allow);
    expect(headers['x-ratelimit-limit']).toBeDefined();
  });

  it.each([
    ['POST', '/'],
    ['POST', '/health/live'],
    ['DELETE', '/openapi.json'],
    ['POST', '/files/src_x.jpg'],
  ])('also outside /api, without a key: %s %s', async (method, path) => {
    const { status, headers } = await harness.call(method, path);
    expect(status).toBe(405);
    expect(headers['allow']).toBe('GET, HEAD');
  });

  it.each(METHODS.filter((method) => !['CONNECT', 'GET', 'HEAD', 'OPTIONS'].includes(method)))(
    'for every method that HTTP parsers know: %s',
    async (method) => {
      expect(await answerTo(method, '/health/live')).toEqual([405, 'GET, HEAD']);
      expect(await answerTo(method, '/nothing')).toEqual([404, undefined]);
    },
  );

  it('but 401 under /api without a key', async () => {
    expect((await harness.call('PUT', '/api/ai/enhance')).status).toBe(401);
  });
});
