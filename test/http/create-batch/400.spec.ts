import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import { type Harness, PUBLIC_URL, type TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import { photo } from '../../support/images/images.js';

let harness: Harness;
let account: TestAccount;
let url: string;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
  ({ url } = await harness.newSource(account));
});
afterAll(() => harness.close());

interface Problem {
  detail: string;
  errors: { field: string; code: string; message: string }[];
}

async function refused(json: Readonly<Record<string, unknown>>): Promise<Problem> {
  const before = await harness.footprint();
  const { status, body } = await harness.createBatch(account.key, { operation: 'upscale', ...json });
  expect(status).toBe(400);
  expect(body).toMatchObject({ code: 'invalid_request' });
  expect(await harness.footprint()).toEqual(before);
  return body as Problem;
}

describe('POST /api/ai/batches → 400', () => {
  it.each([
    ['no sources', {}, 'sourceUrls', 'required'],
    ['null', { sourceUrls: null }, 'sourceUrls', 'required'],
    ['a string', { sourceUrls: 'x' }, 'sourceUrls', 'type'],
    ['an empty list', { sourceUrls: [] }, 'sourceUrls', 'range'],
    ['too many sources', { sourceUrls: Array.from({ length: 1_001 }, () => 'x') }, 'sourceUrls', 'range'],
    ['a wrong operation', { sourceUrls: ['x'], operation: 'sharpen' }, 'operation', 'enum'],
    ['no operation', { sourceUrls: ['x'], operation: undefined }, 'operation', 'required'],
    ['a wrong level', { sourceUrls: ['x'], level: 'highest' }, 'level', 'enum'],
    ['a wrong choice', { sourceUrls: ['x'], onQuota: 'some' }, 'onQuota', 'enum'],
    ['a field of single jobs', { sourceUrls: ['x'], sourceUrl: 'x' }, 'sourceUrl', 'unknown'],
    ['a wrong output', { sourceUrls: ['x'], output: { quality: 0 } }, 'output.quality', 'range'],
  ])('for %s', async (_name, json, field, code) => {
    expect((await refused(json)).errors).toMatchObject([{ field, code }]);
  });

  it('names every invalid item by its index before it reserves anything', async () => {
    const stranger = await harness.createAccount();
    const theirs = await harness.newSource(stranger);
    const deleted = await harness.newSource(account);
    await harness.call('DELETE', `/api/ai/sources/${deleted.id}`, { key: account.key });
    const huge = await harness.newSource(account, await photo(40, 30, 'png'));
    await harness.rows('UPDATE sources SET width = 9000, height = 5000 WHERE id = $1', [huge.id]);
    const unknownId = newId('source');
    const { detail, errors } = await refused({
      level: 'high',
      sourceUrls: [
        url,
        theirs.url,
        'https://elsewhere.example/photo.jpg',
        url,
        deleted.url,
        17,
        huge.url,
        `${PUBLIC_URL}/files/${unknownId}.jpg`,
      ],
    });
    expect(detail).toMatch(/^6 of 8 items are invalid\. No job was created\./);
    expect(errors.map(({ field, code }) => `${field} ${code}`)).toEqual([
      'sourceUrls.1 not_found',
      'sourceUrls.2 foreign',
      'sourceUrls.4 gone',
      'sourceUrls.5 type',
      'sourceUrls.6 too_many_pixels',
      'sourceUrls.7 not_found',
    ]);
  });

  it('counts one invalid item in the singular', async () => {
    const valid = await harness.newSource(account);
    const { detail } = await refused({ sourceUrls: [valid.url, 17] });
    expect(detail).toBe('1 of 2 items is invalid. No job was created. sourceUrls.1 must be a string.');
  });

  it('names the items without the transparency that the output needs', async () => {
    const { url: cutout } = await harness.newSource(account, await photo(40, 30, 'png', 4));
    const { errors } = await refused({ sourceUrls: [cutout, url, cutout], output: { crop: 'subject' } });
    expect(errors).toMatchObject([{ field: 'sourceUrls.1', code: 'conflict' }]);
    expect(errors[0]!.message).toMatch(/^output\.crop needs a result with transparency\./);
    const impossible = { crop: 'subject', background: '#ffffff', kind: 'mask' };
    const all = await refused({ sourceUrls: [cutout, url], output: impossible });
    expect(all.errors).toMatchObject([{ field: 'output.background', code: 'conflict' }]);
  });

  it('names at most 100 invalid items', async () => {
    const sourceUrls = Array.from({ length: 300 }, (_, index) => (index < 50 ? url : `nowhere ${index}`));
    const { detail, errors } = await refused({ sourceUrls });
    expect(detail).toMatch(/^250 of 300 items/);
    expect(errors).toHaveLength(100);
    expect(errors[0]).toMatchObject({ field: 'sourceUrls.50', code: 'foreign' });
  });

  it('reports an error that affects all items only once', async () => {
    const { errors } = await refused({
      sourceUrls: [url, url],
      operation: 'bg_remove',
      output: { format: 'jpeg' },
    });
    expect(errors).toMatchObject([{ field: 'output.background', code: 'required' }]);
  });

  it.each(['\0', '\ud800'])('for %j in the address of a background or mask', async (text) => {
    const given = { sourceUrl: `${url}&${text}` };
    for (const [more, field] of [
      [{ output: { background: given } }, 'output.background.sourceUrl'],
      [{ mask: given }, 'mask.sourceUrl'],
    ] as const) {
      const { errors } = await refused({ sourceUrls: [url], operation: 'bg_remove', ...more });
      expect(errors).toMatchObject([{ field }]);
    }
  });

  it('limits the number of members in the body, as on every other route', async () => {
    const wide = Array.from({ length: 1_300 }, () => 0);
    expect((await refused({ sourceUrls: wide })).errors).toMatchObject([{ field: '', code: 'members' }]);
    const other = await harness.createJob(account.key, {
      sourceUrl: url,
      operation: 'upscale',
      metadata: wide,
    });
    expect(other).toMatchObject({ status: 400, body: { errors: [{ code: 'members' }] } });
  });
});
