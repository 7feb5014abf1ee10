import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { IMAGE_CONTENT_TYPES, IMAGE_EXTENSIONS, IMAGE_FORMATS } from '../../../src/kernel/operations.js';
import { type Harness, PUBLIC_URL, type TestAccount } from '../../support/app/harness.js';
import type { SourceAnswer } from '../../support/app/answers.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import {
  cmykJpeg,
  deepPng,
  grayImage,
  jpegOfBytes,
  phoneJpeg,
  photo,
  progressiveJpeg,
} from '../../support/images/images.js';
import { fileBody, multipart, MULTIPART_TYPE } from '../../support/app/multipart.js';
import { RawRequest } from '../../support/app/raw-request.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
});
afterAll(() => harness.close());

describe('POST /api/ai/upload → 201', () => {
  it.each(IMAGE_FORMATS)('accepts a %s, and describes it', async (format) => {
    const bytes = await photo(40, 30, format);
    const { status, body } = await harness.upload(account.key, bytes);
    expect(status).toBe(201);
    const source = body as SourceAnswer;
    expect(source).toEqual({
      url: expect.any(String) as unknown,
      id: expect.stringMatching(/^src_[0-9a-f]{32}$/) as unknown,
      format,
      width: 40,
      height: 30,
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]+\.\d{3}Z$/) as unknown,
    });
    const url = new URL(source.url);
    expect(`${url.origin}${url.pathname}`).toBe(
      `${PUBLIC_URL}/files/${source.id}.${IMAGE_EXTENSIONS[format]}`,
    );
    const lifetimeMs = Number(url.searchParams.get('exp')) * 1_000 - Date.parse(source.createdAt);
    expect(Math.abs(lifetimeMs - 24 * 3_600_000)).toBeLessThan(60_000);
    expect([...url.searchParams.keys()].toSorted()).toEqual(['exp', 'sig']);
  });

  it('dates a source by the clock of the database when that of the api is wrong', async () => {
    const startedMs = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: startedMs - 40 * 86_400_000 });
    onTestFinished(() => void vi.useRealTimers());
    const { createdAt, id } = await harness.newSource(account, await photo(16, 16, 'png'));
    vi.useRealTimers();
    expect(Date.parse(createdAt)).toBeGreaterThan(startedMs - 60_000);
    const got = await harness.call('GET', `/api/ai/sources/${id}`, { key: account.key });
    expect(got.body).toMatchObject({ id, createdAt });
  });

  it('stores the bytes unchanged', async () => {
    const bytes = await phoneJpeg(60, 40, 6);
    const source = await harness.newSource(account, bytes);
    expect([source.width, source.height]).toEqual([40, 60]);
    const { body, headers } = await harness.call('GET', source.url.replace(PUBLIC_URL, ''));
    expect(headers['content-type']).toBe(IMAGE_CONTENT_TYPES.jpeg);
    expect(Buffer.compare(body as Buffer, bytes)).toBe(0);
  });

  it('determines the format from the bytes, not from the name or the declared type', async () => {
    const bytes = await photo(20, 20, 'png');
    for (const part of [
      { filename: 'photo.jpg', type: 'image/jpeg' },
      { filename: 'notes.txt', type: 'text/plain' },
      { filename: '../../etc/passwd', type: 'application/x-sh' },
      { filename: '' },
      {},
    ]) {
      const { status, body, text } = await harness.call('POST', '/api/ai/upload', {
        key: account.key,
        headers: { 'content-type': MULTIPART_TYPE },
        body: multipart([{ name: 'file', bytes, ...part }]),
      });
      expect(status, text).toBe(201);
      expect(body).toMatchObject({ format: 'png' });
    }
  });

  it.each([
    ['one pixel', () => photo(1, 1, 'png')],
    ['CMYK', () => cmykJpeg(16, 16, [200, 30, 30])],
    ['16 bits', () => deepPng(16, 16)],
    ['16 bits with alpha', () => deepPng(16, 16, 4)],
    ['grayscale JPEG', () => grayImage(16, 16, 'jpeg')],
    ['grayscale PNG', () => grayImage(16, 16, 'png')],
    ['progressive JPEG', () => progressiveJpeg(32, 32)],
    ['alpha', () => photo(16, 16, 'webp', 4)],
  ])('accepts an unusual but valid image: %s', async (_, make) => {
    const { status, text } = await harness.upload(account.key, await make());
    expect(status, text).toBe(201);
  });

  it('accepts exactly 20 MB, with and without a declared length', async () => {
    const bytes = await jpegOfBytes(20 * 2 ** 20);
    const declared = await harness.upload(account.key, bytes);
    expect(declared.status, declared.text).toBe(201);
    expect(declared.body).toMatchObject({ bytes: 20 * 2 ** 20 });
    const request = await RawRequest.open(harness.url, 'POST /api/ai/upload', {
      'x-api-key': account.key,
      'content-type': MULTIPART_TYPE,
      'transfer-encoding': 'chunked',
      connection: 'close',
    });
    const body = fileBody(bytes);
    for (let at = 0; at < body.length; at += 2 ** 20)
      await request.writeChunk(body.subarray(at, at + 2 ** 20));
    await request.write('0\r\n\r\n');
    const answer = await request.answer();
    expect(answer.status).toBe(201);
    expect(JSON.parse(answer.body)).toMatchObject({ bytes: 20 * 2 ** 20 });
  });

  it('accepts a body that arrives byte by byte', async () => {
    const body = fileBody(await photo(8, 8, 'png'));
    const request = await RawRequest.open(harness.url, 'POST /api/ai/upload', {
      'x-api-key': account.key,
      'content-type': MULTIPART_TYPE,
      'content-length': String(body.length),
      connection: 'close',
    });
    for (const byte of body) await request.write(Buffer.from([byte]));
    expect((await request.answer()).status).toBe(201);
  });

  it('writes the source, its storage, and both events together, and one object', async () => {
    const own = await harness.createAccount();
    await harness.listen(own);
    const before = await harness.footprint();
    const source = await harness.newSource(own);
    expect(await harness.footprint()).toEqual({
      ...before,
      sources: before.sources + 1,
      events: before.events + 2,
      storageBytes: before.storageBytes + source.bytes,
      objects: before.objects + 1,
    });
    const rows = await harness.rows<{ type: string; data: unknown }>(
      'SELECT type, data FROM events WHERE account_id = $1 ORDER BY id',
      [own.id],
    );
    expect(rows).toEqual([
      { type: 'image.uploaded', data: { upload: source } },
      { type: 'upload.finished', data: { upload: source } },
    ]);
  });

  it('accepts many uploads at the same time', async () => {
    const bytes = await photo(16, 16, 'jpeg');
    const before = await harness.footprint();
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        harness.upload(account.key, bytes, index % 2 === 0 ? { 'Idempotency-Key': `many-${index}` } : {}),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(30).fill(201));
    expect(new Set(answers.map(({ body }) => (body as SourceAnswer).id)).size).toBe(30);
    const after = await harness.footprint();
    expect(after.objects - before.objects).toBe(30);
    expect(after.temporaryFiles).toBe(0);
  });
});
