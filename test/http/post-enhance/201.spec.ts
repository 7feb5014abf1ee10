import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IMAGE_FORMATS, LEVELS, SPECIFIED_OPERATIONS } from '../../../src/kernel/operations.js';
import { type Harness, PUBLIC_URL, type TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import { photo } from '../../support/images/images.js';
import { unsigned } from '../../support/app/unsigned.js';

let harness: Harness;
let account: TestAccount;
let sourceUrl: string;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
  sourceUrl = (await harness.newSource(account)).url;
});
afterAll(() => harness.close());

const create = (json: Record<string, unknown>) => harness.createJob(account.key, json);

describe('POST /api/ai/enhance → 201', () => {
  it('returns the whole job and its Location', async () => {
    const { status, body, headers } = await create({ sourceUrl, operation: 'smooth_skin' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^job_[0-9a-f]{32}$/) as unknown,
      livemode: true,
      status: 'queued',
      operation: 'smooth_skin',
      level: 'medium',
      operations: [{ operation: 'smooth_skin', level: 'medium', model: null, timings: null }],
      sourceUrl: expect.stringContaining(`${PUBLIC_URL}/files/src_`) as unknown,
      output: { format: 'jpeg', quality: null, background: null },
      error: null,
      progress: 0,
      attempts: 0,
      model: null,
      device: null,
      timings: null,
      metadata: {},
      createdAt: expect.stringMatching(/Z$/) as unknown,
      startedAt: null,
      completedAt: null,
    });
    const { id } = body as { id: string };
    expect(headers['location']).toBe(`/api/ai/enhance/${id}`);
    expect(headers).not.toHaveProperty('idempotent-replayed');
    const read = await harness.call('GET', headers['location']!, { key: account.key });
    expect(unsigned(read.body)).toEqual(unsigned(body));
  });

  it.each(SPECIFIED_OPERATIONS)('accepts %s at every level, and returns the level', async (operation) => {
    for (const level of LEVELS) {
      const { status, body } = await create({ sourceUrl, operation, level });
      expect(status).toBe(201);
      expect(body).toMatchObject({ operation, level, status: 'queued' });
    }
  });

  it.each(IMAGE_FORMATS)('keeps the format of a %s source, but bg_remove makes a PNG', async (format) => {
    const source = await harness.newSource(account, await photo(24, 24, format));
    for (const operation of SPECIFIED_OPERATIONS) {
      const { body } = await create({ sourceUrl: source.url, operation });
      expect(body).toMatchObject({ output: { format: operation === 'bg_remove' ? 'png' : format } });
    }
  });

  it('accepts the output of a job again, including its nulls', async () => {
    const { body } = await create({ sourceUrl, operation: 'upscale', output: { format: 'png' } });
    const { output } = body as { output: object };
    expect(output).toEqual({ format: 'png', quality: null, background: null });
    const again = await create({ sourceUrl, operation: 'upscale', output });
    expect(again).toMatchObject({ status: 201, body: { output } });
  });

  it('accepts every output option', async () => {
    for (const format of IMAGE_FORMATS) {
      const output = { format, quality: 73, background: '#00fF7a' };
      const { body } = await create({ sourceUrl, operation: 'bg_remove', output });
      expect(body).toMatchObject({ output: { format, quality: 73, background: '#00ff7a' } });
    }
    for (const quality of [1, 100]) {
      const { status } = await create({ sourceUrl, operation: 'upscale', output: { quality } });
      expect(status).toBe(201);
    }
  });

  it('returns up to 20 pairs of metadata with any text', async () => {
    const metadata = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`name ${index} ü`, index === 0 ? '' : '🙂 "\\ \n <b>']),
    );
    const { status, body } = await create({ sourceUrl, operation: 'upscale', metadata });
    expect(status).toBe(201);
    expect((body as { metadata: unknown }).metadata).toEqual(metadata);
  });

  it('treats the source URL as an identifier: neither its signature nor its expiration matters', async () => {
    const [bare] = sourceUrl.split('?');
    for (const address of [bare, `${bare}?exp=1&sig=0`, `${sourceUrl}#part`]) {
      expect((await create({ sourceUrl: address, operation: 'upscale' })).status).toBe(201);
    }
  });

  it('writes the job, the reservation, and the event together', async () => {
    const own = await harness.createAccount();
    await harness.listen(own);
    const { url } = await harness.newSource(own);
    const before = await harness.footprint();
    const { body } = await harness.createJob(own.key, { sourceUrl: url, operation: 'upscale' });
    expect(await harness.footprint()).toEqual({
      ...before,
      jobs: before.jobs + 1,
      events: before.events + 1,
      ledger: before.ledger + 1,
      enhancementsUsed: before.enhancementsUsed + 1,
    });
    expect(await harness.eventTypes(own)).toEqual([
      'image.uploaded',
      'upload.finished',
      'enhancement.queued',
    ]);
    const [event] = await harness.rows<{ data: { job: unknown } }>(
      "SELECT data FROM events WHERE account_id = $1 AND type = 'enhancement.queued'",
      [own.id],
    );
    expect(event!.data).toEqual({ job: body });
  });

  it('assigns IDs that sort by creation', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      ids.push(((await create({ sourceUrl, operation: 'upscale' })).body as { id: string }).id);
    }
    expect(ids.toSorted()).toEqual(ids);
  });

  it('accepts JSON with a charset, and fields in any order', async () => {
    const { status } = await harness.call('POST', '/api/ai/enhance', {
      key: account.key,
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify({ operation: 'upscale', level: 'high', sourceUrl }),
    });
    expect(status).toBe(201);
  });
});
