import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ERROR_CODES, type ErrorCode } from '../../../src/kernel/errors/error-codes.js';
import { type Harness, PUBLIC_URL } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import { type RawAnswer, RawRequest } from '../../support/app/raw-request.js';

let harness: Harness;
beforeAll(async () => {
  harness = await sharedHarness();
});
afterAll(() => harness.close());

async function send(headers: Readonly<Record<string, string>>, body = ''): Promise<RawAnswer> {
  const request = await RawRequest.open(harness.url, 'POST /api/ai/upload', headers);
  await request.write(body);
  return request.answer();
}

function expectProblem({ status, headers, body }: RawAnswer, code: ErrorCode): void {
  expect(status).toBe(ERROR_CODES[code].status);
  expect(headers).toMatchObject({
    'content-type': 'application/problem+json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  });
  expect(JSON.parse(body)).toMatchObject({
    type: `${PUBLIC_URL}/docs/errors#${code}`,
    status,
    code,
    requestId: headers['x-request-id'],
  });
}

describe('malformed requests get a problem document', () => {
  it('for headers of more than 16 kB', async () => {
    const answer = await send({ 'x-much': 'a'.repeat(20_000) });
    expectProblem(answer, 'invalid_request');
    expect(answer.body).toContain('larger than 16 kB');
  });

  it.each([
    ['a length that is not a number', { 'Content-Length': '-1' }, ''],
    [
      'a length and chunks, which is how requests are smuggled',
      { 'Content-Length': '5', 'Transfer-Encoding': 'chunked' },
      '',
    ],
    ['a chunk whose size is not a number', { 'Transfer-Encoding': 'chunked' }, 'zz\r\n'],
    ['a header name with a space', { 'x much': 'a' }, ''],
  ])('for %s', async (_, headers, body) => {
    const answer = await send(headers, body);
    expect(answer.status).toBe(400);
    expectProblem(answer, 'invalid_request');
  });

  it('for a method that does not exist', async () => {
    const answer = await (await RawRequest.open(harness.url, 'get /health/live', {})).answer();
    expectProblem(answer, 'invalid_request');
    expect(answer.body).toContain('The method of the request is unknown.');
  });

  it('for CONNECT, which only proxies serve', async () => {
    const answer = await (await RawRequest.open(harness.url, 'CONNECT example.com:443', {})).answer();
    expectProblem(answer, 'method_not_allowed');
    expect(answer.headers['allow']).toBe('');
    expect(answer.body).toContain('This service is not a proxy');
  });

  it('but not for CONNECT after a request whose response is still pending', async () => {
    const request = await RawRequest.open(harness.url, 'GET /health/ready', {});
    await request.write('CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n');
    expect((await request.answer()).body).not.toContain('This service is not a proxy');
  });

  it('and the service keeps running', async () => {
    expect((await harness.call('GET', '/health/live')).status).toBe(200);
  });
});
