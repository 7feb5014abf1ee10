import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, PUBLIC_URL, startHarness, type TestAccount } from '../../support/app/harness.js';
import { type RawAnswer, RawRequest } from '../../support/app/raw-request.js';

const PAGE = 'https://app.example';
const TOKEN = 'what-prometheus-sends';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await startHarness({ env: { CORS_ORIGINS: PAGE, METRICS_TOKEN: TOKEN } });
  account = await harness.createAccount();
});
afterAll(() => harness.close());

type Headers = Readonly<Record<string, string | undefined>>;

async function send(line: string, headers: Headers = {}): Promise<RawAnswer> {
  const given = { 'x-api-key': account.key, origin: PAGE, connection: 'close', ...headers };
  const request = await RawRequest.open(harness.url, line, given);
  return request.answer();
}

const requestsOf = async (labels: string): Promise<number> => {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const text = await (await fetch(`${harness.url}/metrics`, { headers })).text();
  const line = text.split('\n').find((each) => each.startsWith(`ies_http_requests_total{${labels}`));
  return Number(line?.split(' ').at(-1) ?? 0);
};

/** What every response below /api has. */
function expectOrdinary({ headers }: RawAnswer): void {
  expect(headers).toMatchObject({
    'x-request-id': expect.stringMatching(/^req_/),
    'x-content-type-options': 'nosniff',
    'access-control-allow-origin': PAGE,
    'access-control-expose-headers': expect.stringContaining('X-Request-Id'),
  });
}

describe('a path with an invalid percent encoding names nothing → 404', () => {
  it.each([
    ['/api/ai/enhance/%E4', '/api/ai/enhance/:id'],
    ['/api/webhooks/endpoints/%zz', '/api/webhooks/endpoints/:id'],
    ['/api/%', 'unmatched'],
    ['/files/src_%ff.png', '/files/src_:name'],
  ])('with the headers and metrics of other responses: %s', async (path, route) => {
    const labels = `method="GET",route="${route}",status="404"`;
    const before = await requestsOf(labels);
    const answer = await send(`GET ${path}`);
    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      404,
      expect.objectContaining({ code: 'not_found' }),
    ]);
    expectOrdinary(answer);
    if (path.startsWith('/api/')) expect(answer.headers).toHaveProperty('x-ratelimit-limit');
    // Counted when the connection has closed.
    await expect.poll(() => requestsOf(labels)).toBe(before + 1);
  });

  it('or 401 without a key', async () => {
    expect((await send('GET /api/ai/enhance/%E4', { 'x-api-key': undefined })).status).toBe(401);
  });

  it('and passes the preflight check', async () => {
    const answer = await send('OPTIONS /api/ai/enhance/%E4', { 'access-control-request-method': 'GET' });
    expect(answer.status).toBe(204);
    expect(answer.headers['access-control-allow-origin']).toBe(PAGE);
  });
});

describe('other forms of the request target', () => {
  it('a URL, as a proxy gets it, is served like its path', async () => {
    const answer = await send('GET http://proxied.example/api/usage');
    expect(answer.status).toBe(200);
    expectOrdinary(answer);
  });

  it('an asterisk is an unknown route', async () => {
    const answer = await send('GET *');
    expect(answer.status).toBe(404);
    expect(answer.headers['x-request-id']).toBe(JSON.parse(answer.body).requestId);
  });
});

describe('the Host header', () => {
  it.each([
    ['none', { Host: undefined }, 'The Host header is missing.'],
    ['two', { host: 'other.example' }, 'The request has more than one Host header.'],
  ])('%s → 400', async (_, headers, detail) => {
    const answer = await send('GET /api/usage', headers);
    expect(answer.status).toBe(400);
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(JSON.parse(answer.body)).toMatchObject({
      type: `${PUBLIC_URL}/docs/errors#invalid_request`,
      detail,
      requestId: answer.headers['x-request-id'],
    });
    expectOrdinary(answer);
  });
});

describe('the Expect header', () => {
  it('is ignored if it names something unknown', async () => {
    const answer = await send('GET /api/usage', { expect: 'nonsense' });
    expect(answer.status).toBe(200);
    expectOrdinary(answer);
  });
});
