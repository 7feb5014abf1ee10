import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, PUBLIC_URL, type TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import { newId } from '../../../src/kernel/ids.js';

let harness: Harness;
let account: TestAccount;
let sourceUrl: string;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
  sourceUrl = (await harness.newSource(account)).url;
});
afterAll(() => harness.close());

interface Fault {
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

/** Sends the request, checks that it changed nothing, and returns the problem. */
async function refused(options: object): Promise<{ code: string; detail: string; errors: Fault[] }> {
  const before = await harness.footprint();
  const { status, body, text } = await harness.call('POST', '/api/ai/enhance', {
    key: account.key,
    ...options,
  });
  expect(status, text).toBe(400);
  expect(await harness.footprint()).toEqual(before);
  return body as { code: string; detail: string; errors: Fault[] };
}

const raw = (body: string | Buffer) => ({ body, headers: { 'content-type': 'application/json' } });
const job = (more: Record<string, unknown>) => ({ json: { sourceUrl, operation: 'upscale', ...more } });

describe('POST /api/ai/enhance → 400', () => {
  it.each([
    ['a missing brace', '{"sourceUrl": "x"'],
    ['a trailing comma', '{"operation": "upscale",}'],
    ['single quotes', "{'operation': 'upscale'}"],
    ['two values', '{} {}'],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
    ['only spaces', '   '],
  ])('for malformed JSON: %s', async (_, body) => {
    expect(await refused(raw(body))).toMatchObject({ code: 'malformed_json' });
  });

  it.each([
    ['nothing', ''],
    ['null', 'null'],
    ['a list', '[]'],
    ['a string', '"upscale"'],
    ['a number', '1'],
  ])('for a body that is not an object: %s', async (_, body) => {
    expect(await refused(raw(body))).toMatchObject({ code: 'invalid_request' });
  });

  it('with every missing field', async () => {
    const { code, errors } = await refused({ json: {} });
    expect(code).toBe('invalid_request');
    expect(errors.map(({ field, code: fault }) => [field, fault])).toEqual([
      ['sourceUrl', 'required'],
      ['operation', 'required'],
    ]);
  });

  it.each([
    [{ level: 'max' }, 'level must be one of low, medium, high.'],
    [{ output: { crop: true } }, 'output.crop must be subject.'],
    [{ operation: undefined, operations: [{ operation: 'upscale' }, 1] }, 'operations.1 must be an object.'],
  ])('with a message that names the field and what it takes: %j', async (more, message) => {
    const { detail, errors } = await refused(job(more));
    expect(detail).toBe(message);
    expect(errors).toMatchObject([{ field: message.split(' ')[0], message }]);
  });

  it.each([
    [{ levels: 'high' }, 'levels'],
    [{ sourceURL: 'x' }, 'sourceURL'],
    [{ output: { fromat: 'png' } }, 'output.fromat'],
    [{ id: 'job_1' }, 'id'],
    [{ status: 'completed' }, 'status'],
    [{ toString: 'x' }, 'toString'],
  ])('for an unknown field: %j', async (more, field) => {
    const { code, errors } = await refused(job(more));
    expect(code).toBe('invalid_request');
    expect(errors).toEqual([{ field, code: 'unknown', message: expect.stringContaining(field) as unknown }]);
  });

  it.each([
    [{ operation: undefined, operations: { operation: 'upscale' } }, 'operations must be an array.'],
    [{ operation: undefined, operations: 'upscale' }, 'operations must be an array.'],
    [{ expiresIn: '3600' }, 'expiresIn must be a whole number of seconds.'],
    [{ expiresIn: null }, 'expiresIn must be a whole number of seconds.'],
  ])('names the type, not the range, for another type: %j', async (more, message) => {
    const [fault] = (await refused(job(more))).errors;
    expect(fault).toMatchObject({ code: 'type', message });
  });

  it.each(['__proto__', 'constructor', 'prototype'])('for the unknown field %s', async (name) => {
    const body = `{"sourceUrl": ${JSON.stringify(sourceUrl)}, "operation": "upscale", "${name}": {"level": "high"}}`;
    const { code, errors } = await refused(raw(body));
    expect(code).toBe('invalid_request');
    expect(errors.map(({ field }) => field)).toEqual([name]);
  });

  it.each([
    [{ operation: 'sharpen' }, 'operation'],
    [{ operation: 'Upscale' }, 'operation'],
    [{ operation: '' }, 'operation'],
    [{ operation: 'toString' }, 'operation'],
    [{ level: 'max' }, 'level'],
    [{ level: 'HIGH' }, 'level'],
    [{ output: { format: 'gif' } }, 'output.format'],
    [{ output: { format: 'jpg' } }, 'output.format'],
  ])('for a value that is not in the list: %j', async (more, field) => {
    const { errors } = await refused(job(more));
    expect(errors).toEqual([
      { field, code: 'enum', message: expect.stringContaining(field.split('.').at(-1)!) as unknown },
    ]);
  });

  it.each([
    [{ operation: 7 }, 'operation'],
    [{ operation: ['upscale'] }, 'operation'],
    [{ sourceUrl: 7 }, 'sourceUrl'],
    [{ sourceUrl: null }, 'sourceUrl'],
    [{ sourceUrl: {} }, 'sourceUrl'],
    [{ level: 2 }, 'level'],
    [{ level: ['low'] }, 'level'],
    [{ level: null }, 'level'],
    [{ output: null }, 'output'],
    [{ output: { format: null } }, 'output.format'],
    [{ metadata: null }, 'metadata'],
    [{ output: 'png' }, 'output'],
    [{ output: [] }, 'output'],
    [{ output: { quality: '80' } }, 'output.quality'],
    [{ output: { quality: 0 } }, 'output.quality'],
    [{ output: { quality: 101 } }, 'output.quality'],
    [{ output: { quality: 80.5 } }, 'output.quality'],
    [{ output: { quality: -1 } }, 'output.quality'],
    [{ output: { background: 'red' } }, 'output.background'],
    [{ output: { background: '#fff' } }, 'output.background'],
    [{ output: { background: '#ffffff00' } }, 'output.background'],
    [{ output: { background: '#ggffff' } }, 'output.background'],
    [{ output: { background: 0xffffff } }, 'output.background'],
    [{ output: { background: {} } }, 'output.background.sourceUrl'],
    [{ output: { background: { sourceUrl: 'x', fit: 'fill' } } }, 'output.background.fit'],
    [{ output: { shadow: 'soft' } }, 'output.shadow'],
    [{ output: { shadow: { blur: 2 } } }, 'output.shadow.blur'],
    [{ output: { shadow: { color: '#000000' } } }, 'output.shadow.color'],
    [{ output: { padding: 0.6 } }, 'output.padding'],
    [{ output: { padding: '5%' } }, 'output.padding'],
    [{ output: { maxBytes: 10 } }, 'output.maxBytes'],
    [{ output: { crop: true } }, 'output.crop'],
    [{ output: { kind: 'matte' } }, 'output.kind'],
    [{ output: { metadata: true } }, 'output.metadata'],
    [{ output: { provenance: 'yes' } }, 'output.provenance'],
    [{ strength: 1.5 }, 'strength'],
    [{ strength: '0.5' }, 'strength'],
    [{ scale: 0 }, 'scale'],
    [{ width: 1.5 }, 'width'],
    [{ height: 0 }, 'height'],
    [{ fit: 'contain' }, 'fit'],
  ])('for a value of the wrong type or range: %j', async (more, field) => {
    const { errors } = await refused(job(more));
    expect(errors.map((fault) => fault.field)).toEqual([field]);
    for (const { code, message } of errors) expect(`${code} ${message}`).toMatch(/\w+ \w+/);
  });

  it.each([
    ['21 pairs', Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`n${index}`, 'v']))],
    ['a number', { order: 7 }],
    ['an object', { order: { id: '7' } }],
    ['null', { order: null }],
    ['a list', ['a']],
    ['a string', 'a'],
    ['U+0000, which PostgreSQL cannot store', { order: 'a\u0000b' }],
    ['U+0000 in a name', { 'a\u0000b': 'x' }],
    ['half a character', { order: '\ud83d' }],
    ['an empty name', { '': 'x' }],
  ])('for metadata with %s', async (_, metadata) => {
    const { errors } = await refused(job({ metadata }));
    expect(errors.map(({ field }) => field)).toEqual(['metadata']);
  });

  it.each([{ order: 'a\u0000b' }, { 'a\u0000b': 'x' }, { order: 'cut \ud83d' }])(
    'says which characters metadata may not have: %j',
    async (metadata) => {
      const [fault] = (await refused(job({ metadata }))).errors;
      expect(fault!.message).toMatch(/without U\+0000 and unpaired surrogates\.$/);
    },
  );

  it('with all errors at once', async () => {
    const { errors } = await refused({
      json: { operation: 1, level: 'x', output: { quality: 0, color: 1 }, levels: 1 },
    });
    expect(errors.map(({ field }) => field).toSorted()).toEqual([
      'level',
      'levels',
      'operation',
      'output.color',
      'output.quality',
      'sourceUrl',
    ]);
  });

  it('for bg_remove to JPEG without a background', async () => {
    const { errors } = await refused(job({ operation: 'bg_remove', output: { format: 'jpeg' } }));
    expect(errors).toMatchObject([{ field: 'output.background', code: 'required' }]);
  });

  it('for a URL that this service did not issue', async () => {
    const id = newId('source');
    for (const foreign of [
      '',
      'x',
      id,
      `/files/${id}.jpg`,
      `${PUBLIC_URL}/files/${newId('job')}.jpg`,
      `${PUBLIC_URL}/files/${id}.exe`,
      `${PUBLIC_URL}/files/${id}`,
      `${PUBLIC_URL}/files/x/${id}.jpg`,
      `${PUBLIC_URL.replace('https', 'http')}/files/${id}.jpg`,
      `${PUBLIC_URL.replace('example', 'example.evil')}/files/${id}.jpg`,
      `${PUBLIC_URL.replace('/base', '')}/files/${id}.jpg`,
      `https://user@evil.example/files/${id}.jpg`,
      'http://169.254.169.254/latest/meta-data/',
      'file:///etc/passwd',
      'data:image/png;base64,AAAA',
    ]) {
      const { code, errors } = await refused(job({ sourceUrl: foreign }));
      expect({ foreign, code }).toEqual({ foreign, code: 'invalid_source_url' });
      expect(errors.map(({ field }) => field)).toEqual(['sourceUrl']);
    }
  });

  it('for the URL of anything else as a mask or background, and names the field', async () => {
    const foreign = { sourceUrl: 'https://example.com/a.png' };
    for (const [field, more] of [
      ['mask.sourceUrl', { mask: foreign }],
      ['output.background.sourceUrl', { output: { background: foreign } }],
    ] as const) {
      const { code, errors } = await refused(job({ operation: 'bg_remove', ...more }));
      expect({ field, code }).toEqual({ field, code: 'invalid_source_url' });
      expect(errors).toMatchObject([
        { field, message: expect.stringMatching(`^${field} isn't the URL`) as string },
      ]);
    }
  });

  it.each(['a b', 'ü', '', 'x'.repeat(256)])('for the Idempotency-Key "%s"', async (key) => {
    const headers = { 'Idempotency-Key': Buffer.from(key).toString('latin1') };
    const { errors } = await refused({ ...job({}), headers });
    expect(errors.map(({ field }) => field)).toEqual(['Idempotency-Key']);
  });
});
