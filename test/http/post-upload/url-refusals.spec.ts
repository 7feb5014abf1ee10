import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';
import { avifOfTransfer, PQ } from '../../../src/infra/image/testing/hdr-images.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import { jpegOfBytes, photo } from '../../support/images/images.js';
import { ImageOrigin } from '../../support/network/image-origin.js';

interface Problem {
  readonly code: string;
  readonly detail: string;
  readonly errors: readonly { field: string; code: string; message: string }[];
}

/** Sends a request that must be refused without leaving anything behind. */
async function refusal(harness: Harness, account: TestAccount, json: unknown): Promise<[number, Problem]> {
  const before = await harness.footprint();
  const { status, body } = await harness.call('POST', '/api/ai/upload', { key: account.key, json });
  expect(await harness.footprint()).toEqual(before);
  return [status, body as Problem];
}

describe('POST /api/ai/upload with a forbidden URL', () => {
  let harness: Harness;
  let account: TestAccount;
  let origin: ImageOrigin;
  beforeAll(async () => {
    origin = await ImageOrigin.start();
    harness = await sharedHarness();
    account = await harness.createAccount();
  });
  afterAll(async () => {
    await harness.close();
    await origin.close();
  });

  it.each([
    ['a loopback address', () => origin.url('/').replace('http:', 'https:'), /127\.0\.0\.1 is a loopback/],
    ['plain http', () => origin.url('/'), /must begin with https/],
    ['a loopback address in another notation', () => 'https://0x7f.1/', /loopback/],
    ['localhost', () => 'https://localhost:8443/', /loopback/],
    ['a private address', () => 'https://10.1.2.3/photo.jpg', /private/],
    ['a cloud metadata address', () => 'https://169.254.169.254/latest/', /link-local/],
    ['IPv6 loopback', () => 'https://[::1]/', /loopback/],
    ['a database port', () => 'https://example.com:5432/', /Port 5432 is not/],
    ['data:', () => 'data:image/png;base64,AAAA', /must begin with https/],
    ['file:', () => 'file:///etc/passwd', /must begin with https/],
    ['a password', () => 'https://me:secret@example.com/', /user name or password/],
    ['a text that is not a URL', () => 'photo.jpg', /not a valid URL/],
  ])('refuses %s', async (_, url, message) => {
    const [status, problem] = await refusal(harness, account, { url: url() });
    expect([status, problem.code]).toEqual([400, 'invalid_request']);
    expect(problem.errors).toEqual([
      { field: 'url', code: 'address', message: expect.stringMatching(message) as unknown },
    ]);
    expect(origin.asked).toEqual([]);
  });

  it.each([
    [{}, 'url', 'required'],
    [{ url: 7 }, 'url', 'type'],
    [{ url: null }, 'url', 'required'],
    [{ url: 'https://example.com/', file: 'x' }, 'file', 'unknown'],
  ])('refuses the body %j', async (json, field, code) => {
    const [status, problem] = await refusal(harness, account, json);
    expect([status, problem.code]).toEqual([400, 'invalid_request']);
    expect(problem.errors).toContainEqual(expect.objectContaining({ field, code }));
  });

  it('refuses malformed JSON', async () => {
    const headers = { 'content-type': 'application/json' };
    const given = { key: account.key, headers, body: '{"url":' };
    const { status, body } = await harness.call('POST', '/api/ai/upload', given);
    expect([status, (body as Problem).code]).toEqual([400, 'malformed_json']);
  });
});

describe('POST /api/ai/upload with a URL that cannot be used', () => {
  const TIMEOUT_MS = 1_500;
  let harness: Harness;
  let account: TestAccount;
  let origin: ImageOrigin;
  let secure: ImageOrigin;
  beforeAll(async () => {
    origin = await ImageOrigin.start();
    secure = await ImageOrigin.start({ tls: true });
    harness = await startHarness({
      env: {
        UPLOAD_FROM_URL_ALLOW_HTTP: 'true',
        UPLOAD_FROM_URL_ALLOW_NETWORKS: '127.0.0.0/8',
        UPLOAD_FROM_URL_TIMEOUT_MS: String(TIMEOUT_MS),
        MAX_UPLOADS_PER_KEY: '2',
        UPLOAD_SLOT_WAIT_MS: '100',
      },
    });
    account = await harness.createAccount();
  });
  afterAll(async () => {
    await harness.close();
    await origin.close();
    await secure.close();
  });

  it.each([
    ['answers 404', () => origin.url('/missing'), /responded with status 404/],
    ['refuses connections', () => 'http://127.0.0.1:9/'.replace(':9', ':65535'), /connection was refused/],
    ['has an unknown name', () => 'http://no-such-host.invalid/', /name|timed out|send/],
    ['has no valid certificate', () => secure.serve('/', 'x'), /TLS connection/],
    ['redirects four times', () => loop(4), /redirected more than 3 times/],
    [
      'never answers',
      () => origin.on('/silent', () => undefined),
      /did not send the file within 1\.5 seconds/,
    ],
    ['sends a byte at a time', () => drip(), /did not send the file within 1\.5 seconds/],
    ['closes the connection early', () => cut(), /closed before a response arrived/],
    ['compresses', () => compressed(), /compressed/],
  ])('422 url_fetch_failed: a URL that %s', async (_, url, message) => {
    const [status, problem] = await refusal(harness, account, { url: url() });
    expect([status, problem.code], problem.detail).toEqual([422, 'url_fetch_failed']);
    expect(problem.errors[0]).toMatchObject({
      field: 'url',
      message: expect.stringMatching(message) as unknown,
    });
    expect(problem.detail).toMatch(/upload the file/);
  });

  it.each([
    ['private', 'http://10.0.0.1/inner'],
    ['not http', 'file:///etc/passwd'],
    ['for cloud metadata', 'http://169.254.169.254/latest/meta-data'],
  ])('400: a URL that redirects to an address that is %s', async (_, to) => {
    const [status, problem] = await refusal(harness, account, { url: origin.redirect('/away', to) });
    expect([status, problem.code]).toEqual([400, 'invalid_request']);
    expect(problem.detail).toMatch(/redirected to a URL that is not allowed/);
  });

  it('415: a page instead of an image', async () => {
    const url = origin.serve('/page', '<html>a page about a photo</html>', 'text/html; charset=utf-8');
    const [status, problem] = await refusal(harness, account, { url });
    expect([status, problem.code]).toEqual([415, 'unsupported_media_type']);
    expect(problem.detail).toMatch(/text\/html.*image itself, not of a page/);
  });

  it('415: an HDR image, which is not taken for a page', async () => {
    const url = origin.serve('/hdr', await avifOfTransfer(PQ), 'image/avif');
    const [status, problem] = await refusal(harness, account, { url });
    expect([status, problem.code]).toEqual([415, 'hdr_image']);
    expect(problem.detail).toMatch(/^This is an HDR image \(PQ\)/);
  });

  it('413: 21 MB, with and without a declared length', async () => {
    const large = await jpegOfBytes(21 * 2 ** 20);
    const url = origin.serve('/large', large);
    const chunked = origin.on('/chunked', (_, response) => {
      response.writeHead(200, { 'transfer-encoding': 'chunked' });
      response.end(large);
    });
    for (const each of [url, chunked]) {
      const [status, problem] = await refusal(harness, account, { url: each });
      expect([status, problem.code]).toEqual([413, 'payload_too_large']);
    }
  });

  it('422: a damaged image', async () => {
    const whole = await photo(64, 64, 'png');
    const url = origin.serve('/damaged', whole.subarray(0, whole.length / 2));
    const [status, problem] = await refusal(harness, account, { url });
    expect([status, problem.code]).toEqual([422, 'undecodable_image']);
  });

  it('403: no storage left, without a fetch', async () => {
    const full = await harness.createAccount({ limits: { storageBytes: 0 } });
    const asked = origin.asked.length;
    const { status, body } = await harness.call('POST', '/api/ai/upload', {
      key: full.key,
      json: { url: origin.url('/missing') },
    });
    expect([status, (body as Problem).code]).toEqual([403, 'quota_exceeded']);
    expect(origin.asked.length).toBe(asked);
  });

  it('429: more concurrent fetches than a key may have uploads', async () => {
    const url = origin.on('/silent', () => undefined);
    const answers = await Promise.all(
      Array.from({ length: 3 }, () =>
        harness.call('POST', '/api/ai/upload', { key: account.key, json: { url } }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([422, 422, 429]);
  });

  it('403 feature_disabled when the operator has switched it off', async () => {
    const closed = await harness.another({ env: { UPLOAD_FROM_URL: 'off' } });
    try {
      const [status, problem] = await refusal(closed, account, { url: origin.url('/missing') });
      expect([status, problem.code]).toEqual([403, 'feature_disabled']);
      const upload = await closed.upload(account.key, await photo(8, 8, 'png'));
      expect(upload.status).toBe(201);
    } finally {
      await closed.close();
    }
  });

  function loop(count: number): string {
    for (let index = 0; index < count; index += 1) origin.redirect(`/loop${index}`, `/loop${index + 1}`);
    return origin.url('/loop0');
  }

  function drip(): string {
    return origin.on('/drip', (_, response) => {
      response.writeHead(200, { 'content-type': 'image/png' });
      const timer = setInterval(() => response.write('x'), 50);
      response.once('close', () => clearInterval(timer));
    });
  }

  function cut(): string {
    return origin.on('/cut', (_, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('x', () => response.destroy());
    });
  }

  function compressed(): string {
    return origin.on('/zip', (_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('x'),
    );
  }
});
