import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import { photo } from '../../support/images/images.js';
import { fileBody, MULTIPART_TYPE } from '../../support/app/multipart.js';

let harness: Harness;
let account: TestAccount;
let body: Buffer;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
  body = Buffer.concat([fileBody(await photo(300, 200, 'png')), Buffer.from('an epilogue')]);
});
afterAll(() => harness.close());

const send = (digest: string, given: string | Buffer = body, type = MULTIPART_TYPE) =>
  harness.call('POST', '/api/ai/upload', {
    key: account.key,
    headers: { 'content-type': type, 'content-digest': digest },
    body: given,
  });
const digestOf = (bytes: string | Buffer): string =>
  `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`;

describe('POST /api/ai/upload with Content-Digest', () => {
  it('returns 201 when it matches the body', async () => {
    const { status, text } = await send(digestOf(body));
    expect(status, text).toBe(201);
  });

  it('returns 400 content_digest_mismatch when it does not match, and keeps nothing', async () => {
    const before = await harness.footprint();
    const { status, body: problem } = await send(digestOf('another body'));
    expect([status, (problem as { code: string }).code]).toEqual([400, 'content_digest_mismatch']);
    expect(await harness.footprint()).toEqual(before);
  });

  it('returns 400 invalid_request when it is malformed', async () => {
    const { status, body: problem } = await send('sha-256=abc');
    expect([status, problem]).toMatchObject([
      400,
      { code: 'invalid_request', errors: [{ field: 'Content-Digest', code: 'format' }] },
    ]);
  });

  it('is also checked for JSON bodies', async () => {
    const { status, body: problem } = await send(digestOf('{}'), '{"url": "x"}', 'application/json');
    expect([status, (problem as { code: string }).code]).toEqual([400, 'content_digest_mismatch']);
  });
});
