import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import { type RawAnswer, RawRequest } from '../../support/app/raw-request.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
});
afterAll(() => harness.close());

/** Sends a body in chunks of one size; all but the last few are in one write. */
async function send(
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  chunkBytes: number,
): Promise<RawAnswer> {
  const given = { 'Transfer-Encoding': 'chunked', connection: 'close', ...headers };
  const request = await RawRequest.open(harness.url, `POST ${path}`, given);
  const size = chunkBytes.toString(16);
  const count = Math.ceil(body.length / chunkBytes);
  const chunks = Array.from({ length: count }, (_, index) => {
    const bytes = body.slice(index * chunkBytes, (index + 1) * chunkBytes);
    return `${bytes.length === chunkBytes ? size : bytes.length.toString(16)}\r\n${bytes}\r\n`;
  });
  await request.write(`${chunks.join('')}0\r\n\r\n`);
  return request.answer();
}

const JSON_BODY = { 'content-type': 'application/json' };
const FORM = { 'content-type': 'multipart/form-data; boundary=x' };
/** A valid JSON body of this size, which the route refuses for what it contains. */
const json = (bytes: number): string => `{"operation":"${'a'.repeat(bytes - 16)}"}`;

describe('a body in very small chunks → 400, and the connection is closed', () => {
  it.each([
    ['JSON', '/api/ai/enhance', JSON_BODY],
    ['a form', '/api/ai/upload', FORM],
    ['a body that nobody reads', '/api/usage', JSON_BODY],
  ])('%s', async (_, path, headers) => {
    const key = { 'x-api-key': account.key };
    const answer = await send(path, { ...key, ...headers }, json(20_000), 1);
    expect(answer.status).toBe(400);
    expect(answer.headers['connection']).toBe('close');
    expect(JSON.parse(answer.body)).toMatchObject({
      code: 'invalid_request',
      detail: expect.stringContaining('fewer than 32 bytes on average'),
      requestId: answer.headers['x-request-id'],
    });
  });

  it('also without a key', async () => {
    const answer = await send('/api/ai/upload', FORM, json(20_000), 1);
    expect([400, 401]).toContain(answer.status);
  });
});

describe('other chunks are read', () => {
  it.each([
    ['1,000 chunks of one byte', 1_000, 1],
    // Some are split where the server's reads of the connection end.
    ['2,000 chunks of 48 bytes', 96_000, 48],
  ])('%s', async (_, bytes, chunkBytes) => {
    const headers = { 'x-api-key': account.key, ...JSON_BODY };
    const answer = await send('/api/ai/enhance', headers, json(bytes), chunkBytes);
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body).detail).toBe('sourceUrl is required.');
  });
});
