import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import { photo } from '../../support/images/images.js';
import { multipart, MULTIPART_TYPE } from '../../support/app/multipart.js';

let harness: Harness;
let account: TestAccount;
let bytes: Buffer;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
  bytes = await photo(48, 32, 'jpeg');
});
afterAll(() => harness.close());

interface Given {
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly file?: Buffer;
}
interface JobAnswer {
  readonly id: string;
  readonly status: string;
  readonly sourceUrl: string;
}

/** Without the result cache, because the tests send the same picture repeatedly. */
const create = (fields: Readonly<Record<string, string>>, given: Given = {}) =>
  harness.call('POST', '/api/ai/enhance', {
    key: given.key ?? account.key,
    headers: { 'content-type': MULTIPART_TYPE, ...given.headers },
    body: multipart([
      ...Object.entries({ cache: 'false', ...fields }).map(([name, value]) => ({ name, bytes: value })),
      { name: 'file', filename: 'photo.jpg', type: 'image/jpeg', bytes: given.file ?? bytes },
    ]),
  });

describe('POST /api/ai/enhance as multipart/form-data', () => {
  it('201: stores the file and creates its job in one request', async () => {
    const before = await harness.footprint();
    const { status, body, text, headers } = await create({
      operation: 'upscale',
      level: 'high',
      output: '{"format":"webp"}',
      'output.quality': '80',
      'metadata.order': '4711',
    });
    expect(status, text).toBe(201);
    const job = body as JobAnswer;
    expect(job).toMatchObject({
      status: 'queued',
      operation: 'upscale',
      level: 'high',
      output: { format: 'webp', quality: 80 },
      metadata: { order: '4711' },
    });
    expect(headers['location']).toBe(`/api/ai/enhance/${job.id}`);
    const after = await harness.footprint();
    expect(after).toMatchObject({
      sources: before.sources + 1,
      objects: before.objects + 1,
      storageBytes: before.storageBytes + bytes.length,
      temporaryFiles: 0,
    });
    const again = await harness.createJob(account.key, { sourceUrl: job.sourceUrl, operation: 'upscale' });
    expect(again.status, again.text).toBe(201);
  });

  it('201: accepts a preset; an unknown one is 404 and stores nothing', async () => {
    const { status, body } = await create({ preset: 'portrait' });
    expect(status).toBe(201);
    expect(body).toMatchObject({ preset: 'portrait', operations: [{ operation: 'auto_enhance' }, {}] });
    const before = await harness.footprint();
    const unknown = await create({ preset: 'nothing' });
    expect(unknown.status).toBe(404);
    expect(unknown.body).toMatchObject({ code: 'preset_not_found' });
    expect(await harness.footprint()).toEqual(before);
  });

  it('accepts the fields after the file as well', async () => {
    const body = multipart([
      { name: 'file', filename: 'photo.jpg', type: 'image/jpeg', bytes },
      { name: 'operation', bytes: 'auto_enhance' },
    ]);
    const headers = { 'content-type': MULTIPART_TYPE };
    const { status, text } = await harness.call('POST', '/api/ai/enhance', {
      key: account.key,
      headers,
      body,
    });
    expect(status, text).toBe(201);
  });

  it('covers the upload and the job with one Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': 'form' };
    const first = await create({ operation: 'upscale' }, { headers });
    const before = await harness.footprint();
    const second = await create({ operation: 'upscale' }, { headers });
    expect([second.status, second.text]).toEqual([201, first.text]);
    expect(second.headers['idempotent-replayed']).toBe('true');
    const other = await create({ operation: 'auto_enhance' }, { headers });
    expect([other.status, (other.body as { code: string }).code]).toEqual([422, 'idempotency_mismatch']);
    expect(await harness.footprint()).toEqual(before);
  });

  it.each([
    [{}, 'operation', 'required'],
    [{ operation: 'nonsense' }, 'operation', 'enum'],
    [{ operation: 'upscale', level: 'huge' }, 'level', 'enum'],
    [{ operation: 'upscale', levels: 'high' }, 'levels', 'unknown'],
    [{ operation: 'upscale', output: '{"format":' }, 'output', 'json'],
    [{ operation: 'upscale', 'output.quality': '101' }, 'output.quality', 'range'],
    [{ operation: 'bg_remove', 'output.format': 'jpeg' }, 'output.background', 'required'],
    [{ operation: 'upscale', sourceUrl: 'https://images.example/' }, 'sourceUrl', 'unknown'],
    [{ operation: 'upscale', dryRun: 'true' }, 'dryRun', 'unknown'],
  ])('400 and nothing stored: %j', async (fields, field, code) => {
    const before = await harness.footprint();
    const { status, body } = await create(fields);
    expect(status).toBe(400);
    expect((body as { errors: object[] }).errors).toContainEqual(expect.objectContaining({ field, code }));
    expect(await harness.footprint()).toEqual(before);
  });

  it('415 and nothing stored: a file that is not an image', async () => {
    const before = await harness.footprint();
    const { status } = await create({ operation: 'upscale' }, { file: Buffer.from('no image at all') });
    expect(status).toBe(415);
    expect(await harness.footprint()).toEqual(before);
  });

  it('403 when no enhancement is left, and nothing is stored', async () => {
    const poor = await harness.createAccount({ limits: { enhancements: 1 } });
    expect((await create({ operation: 'upscale' }, { key: poor.key })).status).toBe(201);
    const before = await harness.footprint();
    const refused = await create({ operation: 'upscale' }, { key: poor.key });
    expect([refused.status, refused.body]).toMatchObject([
      403,
      { code: 'quota_exceeded', quota: 'enhancements' },
    ]);
    // With a key, the body must be read, because the first response may have to be replayed.
    const headers = { 'Idempotency-Key': 'poor' };
    expect((await create({ operation: 'upscale' }, { key: poor.key, headers })).status).toBe(403);
    const { sources, objects, storageBytes, temporaryFiles } = await harness.footprint();
    expect({ sources, objects, storageBytes, temporaryFiles }).toEqual({
      sources: before.sources,
      objects: before.objects,
      storageBytes: before.storageBytes,
      temporaryFiles: before.temporaryFiles,
    });
  });

  it('lets exactly the remaining number of ten concurrent requests through', async () => {
    const few = await harness.createAccount({ limits: { enhancements: 3 } });
    const before = await harness.footprint();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => create({ operation: 'upscale' }, { key: few.key })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(7);
    const after = await harness.footprint();
    expect([after.sources - before.sources, after.objects - before.objects]).toEqual([3, 3]);
  });
});

describe('POST /api/ai/enhance with Accept: image/* and Prefer: wait', () => {
  const PATIENT = { accept: 'image/*', prefer: 'wait=30' };

  /** The job of the newest request. */
  async function newestJob(): Promise<string> {
    for (;;) {
      const [row] = await harness.rows<{ id: string }>(
        "SELECT id FROM jobs WHERE account_id = $1 AND status = 'queued' ORDER BY id DESC LIMIT 1",
        [account.id],
      );
      if (row !== undefined) return row.id;
    }
  }

  beforeAll(async () => {
    const queued = await harness.rows<{ id: string }>(
      "SELECT id FROM jobs WHERE account_id = $1 AND status = 'queued'",
      [account.id],
    );
    for (const { id } of queued) await harness.jobs.fail(id);
  });

  it('200: the picture itself, for a form and for JSON', async () => {
    const { url } = await harness.newSource(account);
    for (const send of [
      () => create({ operation: 'upscale' }, { headers: PATIENT }),
      () => harness.createJob(account.key, { sourceUrl: url, operation: 'upscale', cache: false }, PATIENT),
    ]) {
      const answering = send();
      const id = await newestJob();
      await harness.jobs.complete(id, Buffer.from('these pixels'));
      const { status, body, headers } = await answering;
      expect(status).toBe(200);
      expect((body as Buffer).toString()).toBe('these pixels');
      expect(headers).toMatchObject({
        'content-type': 'image/png',
        'content-length': '12',
        'x-job-id': id,
        location: `/api/ai/enhance/${id}`,
        link: `</api/ai/enhance/${id}>; rel="describedby"`,
        'content-location': expect.stringContaining(`/files/${id}.png?exp=`) as unknown,
        'preference-applied': 'wait=30',
      });
    }
  });

  it('erases the result once the picture is delivered, if the job asks for it', async () => {
    const answering = create({ operation: 'upscale', retention: 'deliver' }, { headers: PATIENT });
    const id = await newestJob();
    await harness.jobs.complete(id, Buffer.alloc(300_000, 7));
    const { status, body } = await answering;
    expect(status).toBe(200);
    expect(body as Buffer).toHaveLength(300_000);
    const erased = (): Promise<object[]> =>
      harness.rows('SELECT 1 FROM jobs WHERE id = $1 AND result_erased_at IS NOT NULL', [id]);
    await expect.poll(erased, { timeout: 20_000 }).toHaveLength(1);
  });

  it('does not leak listeners on the response', async () => {
    const warnings: string[] = [];
    const note = ({ message }: Error): void => void warnings.push(message);
    process.on('warning', note);
    try {
      const answering = create({ operation: 'upscale', retention: 'deliver' }, { headers: PATIENT });
      await harness.jobs.complete(await newestJob());
      expect((await answering).status).toBe(200);
      // Warnings are emitted on the next tick.
      await new Promise(setImmediate);
    } finally {
      process.off('warning', note);
    }
    expect(warnings).toEqual([]);
  });

  it('uses the accepted type as the format of the result', async () => {
    const answering = create({ operation: 'upscale' }, { headers: { ...PATIENT, accept: 'image/png' } });
    const id = await newestJob();
    await harness.jobs.complete(id);
    expect((await answering).status).toBe(200);
    const job = await harness.call('GET', `/api/ai/enhance/${id}`, { key: account.key });
    expect(job.body).toMatchObject({ output: { format: 'png' } });
  });

  it('uses the accepted type as the format of a preset, and keeps the rest of its output', async () => {
    const send = async (fields: Record<string, string>, accept: string): Promise<object> => {
      const { status, body, text } = await create(fields, { headers: { accept } });
      expect(status, text).toBe(201);
      await harness.jobs.fail((body as JobAnswer).id);
      return (body as { output: object }).output;
    };
    const product = { quality: 92, background: '#ffffff', crop: 'subject', padding: 0.09 };
    const shadow = { opacity: 0.25, blur: 0.02, offsetX: 0, offsetY: 0.015 };
    const preset = 'product-on-white';
    expect(await send({ preset }, 'image/png')).toEqual({ format: 'png', ...product, shadow });
    expect(await send({ preset }, 'image/*')).toEqual({ format: 'jpeg', ...product, shadow });
    const metadata = 'keep-no-gps';
    expect(await send({ preset: 'portrait' }, 'image/webp')).toMatchObject({ format: 'webp', metadata });
    // An output in the request replaces that of the preset.
    const own = await send({ preset: 'portrait', 'output.quality': '50' }, 'image/webp');
    expect(own).toEqual({ format: 'webp', quality: 50, background: null });
  });

  it.each([
    ['no_subject_found', 422],
    ['processing_failed', 500],
    ['undecodable_image', 422],
    ['canceled', 409],
  ] as const)('the problem of a failed job: %s → %i', async (code, wanted) => {
    const answering = create({ operation: 'upscale' }, { headers: PATIENT });
    const id = await newestJob();
    await harness.jobs.fail(id, code);
    const { status, body, headers } = await answering;
    expect([status, body]).toMatchObject([wanted, { code, jobId: id }]);
    expect(headers['x-job-id']).toBe(id);
    expect(headers['retry-after']).toBe(wanted === 500 ? '1' : undefined);
  });

  it('202 with the job when it has not finished in time', async () => {
    const headers = { ...PATIENT, prefer: 'wait=1' };
    const { status, body } = await create({ operation: 'upscale' }, { headers });
    expect([status, body]).toMatchObject([202, { status: 'queued' }]);
    await harness.jobs.fail((body as JobAnswer).id);
  });

  it('201 with the job without Prefer', async () => {
    const { status, body } = await create({ operation: 'upscale' }, { headers: { accept: 'image/*' } });
    expect([status, body]).toMatchObject([201, { status: 'queued' }]);
  });
});
