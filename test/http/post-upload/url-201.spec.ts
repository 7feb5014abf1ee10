import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';
import type { SourceAnswer } from '../../support/app/answers.js';
import { photo } from '../../support/images/images.js';
import { ImageOrigin } from '../../support/network/image-origin.js';

let origin: ImageOrigin;
let harness: Harness;
let account: TestAccount;
let bytes: Buffer;
beforeAll(async () => {
  origin = await ImageOrigin.start();
  harness = await startHarness({
    env: { UPLOAD_FROM_URL_ALLOW_HTTP: 'true', UPLOAD_FROM_URL_ALLOW_NETWORKS: '127.0.0.0/8' },
  });
  account = await harness.createAccount();
  bytes = await photo(40, 30, 'png');
});
afterAll(async () => {
  await harness.close();
  await origin.close();
});

const upload = (url: string, headers: Readonly<Record<string, string>> = {}) =>
  harness.call('POST', '/api/ai/upload', { key: account.key, json: { url }, headers });

describe('POST /api/ai/upload with a URL → 201', () => {
  it('fetches the file and answers like any upload', async () => {
    const before = await harness.footprint();
    const { status, body, text } = await upload(
      `${origin.serve('/a/photo%20one.png', bytes, 'text/plain')}?size=big`,
    );
    expect(status, text).toBe(201);
    const source = body as SourceAnswer;
    expect(source).toMatchObject({
      format: 'png',
      width: 40,
      height: 30,
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
    const [row] = await harness.rows<{ name: string }>('SELECT name FROM sources WHERE id = $1', [source.id]);
    expect(row).toEqual({ name: 'photo one.png' });
    const after = await harness.footprint();
    expect(after).toMatchObject({
      sources: before.sources + 1,
      objects: before.objects + 1,
      storageBytes: before.storageBytes + bytes.length,
      temporaryFiles: 0,
    });
    const job = await harness.createJob(account.key, { sourceUrl: source.url, operation: 'upscale' });
    expect(job.status, job.text).toBe(201);
  });

  it('follows three redirects, including relative ones', async () => {
    origin.serve('/final.png', bytes, 'image/png');
    origin.redirect('/third', 'final.png');
    origin.redirect('/second', '/third');
    const { status, text } = await upload(origin.redirect('/first', origin.url('/second')));
    expect(status, text).toBe(201);
  });

  it('replays the response for the same Idempotency-Key without a fetch, even if the origin is gone', async () => {
    const url = origin.serve('/once.png', bytes, 'image/png');
    const first = await upload(url, { 'Idempotency-Key': 'once' });
    expect(first.status, first.text).toBe(201);
    origin.on('/once.png', (_, response) => response.writeHead(404).end());
    const before = await harness.footprint();
    const asked = origin.asked.length;
    const second = await upload(url, { 'Idempotency-Key': 'once' });
    expect([second.status, second.text]).toEqual([201, first.text]);
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(origin.asked.length).toBe(asked);
    expect(await harness.footprint()).toEqual(before);
    const other = await upload(origin.url('/other.png'), { 'Idempotency-Key': 'once' });
    expect([other.status, (other.body as { code: string }).code]).toEqual([422, 'idempotency_mismatch']);
  });

  it('stores one source for ten concurrent requests with one key', async () => {
    const url = origin.serve('/ten.png', bytes, 'image/png');
    const before = await harness.footprint();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => upload(url, { 'Idempotency-Key': 'ten' })),
    );
    for (const { status } of answers) expect([201, 409]).toContain(status);
    const after = await harness.footprint();
    expect([after.sources - before.sources, after.objects - before.objects]).toEqual([1, 1]);
    expect(after.temporaryFiles).toBe(0);
  });
});
