import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Harness, TestAccount } from '../../../support/app/harness.js';
import { sharedHarness } from '../../../support/app/shared-harness.js';

let harness: Harness;
let account: TestAccount;
/** A photo of 48 × 32 pixels. */
let sourceUrl: string;
let maskUrl: string;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
  sourceUrl = (await harness.newSource(account)).url;
  maskUrl = await uploaded(24, 16);
});
afterAll(() => harness.close());

async function uploaded(width: number, height: number, format: 'png' | 'webp' = 'png'): Promise<string> {
  const gray = { create: { width, height, channels: 3, background: '#808080' } } as const;
  const { status, body, text } = await harness.upload(
    account.key,
    await sharp(gray).toFormat(format).toBuffer(),
  );
  expect(status, text).toBe(201);
  return (body as { url: string }).url;
}

const post = (order: object) =>
  harness.call('POST', '/api/ai/enhance', { key: account.key, json: { sourceUrl, ...order } });

async function refused(order: object): Promise<readonly { readonly field: string; readonly code: string }[]> {
  const before = await harness.footprint();
  const { status, body, text } = await post(order);
  expect(status, text).toBe(400);
  expect(await harness.footprint()).toEqual(before);
  return (body as { errors: readonly { field: string; code: string }[] }).errors;
}

interface Masked {
  readonly operations: readonly { readonly mask?: { readonly sourceUrl: string } }[];
}

describe('POST /api/ai/enhance with mask', () => {
  it('stores a mask of any size that has the proportions of the photo', async () => {
    const { status, body, text } = await post({ operation: 'bg_remove', mask: { sourceUrl: maskUrl } });
    expect(status, text).toBe(201);
    const [id] = /src_[0-9a-f]{32}/.exec(maskUrl)!;
    expect((body as Masked).operations[0]!.mask!.sourceUrl).toContain(id);
    const chain = [
      { operation: 'upscale', level: 'low' },
      { operation: 'bg_remove', mask: { sourceUrl: maskUrl } },
    ];
    const chained = (await post({ operations: chain })).body as Masked;
    expect(chained.operations.map(({ mask }) => mask !== undefined)).toEqual([false, true]);
  });

  it('names what is wrong with the mask', async () => {
    const mask = { sourceUrl: maskUrl };
    const cases: readonly (readonly [object, string, string])[] = [
      [{ operation: 'upscale', mask }, 'mask', 'conflict'],
      [{ operations: [{ operation: 'bg_remove' }], mask }, 'mask', 'conflict'],
      [{ operation: 'bg_remove', mask: maskUrl }, 'mask', 'mask'],
      [{ operation: 'bg_remove', mask: {} }, 'mask.sourceUrl', 'mask'],
      [{ operation: 'bg_remove', mask: { ...mask, invert: true } }, 'mask.invert', 'mask'],
      [{ operation: 'bg_remove', mask: null }, 'mask', 'mask'],
      [{ operation: 'bg_remove', mask: { sourceUrl: await uploaded(16, 24) } }, 'mask.sourceUrl', 'range'],
      [
        { operation: 'bg_remove', mask: { sourceUrl: await uploaded(48, 32, 'webp') } },
        'mask.sourceUrl',
        'format',
      ],
      [
        { operation: 'bg_remove', mask: { sourceUrl: 'https://example.com/a.png' } },
        'mask.sourceUrl',
        'foreign',
      ],
      [
        { operations: [{ operation: 'bg_remove', mask: { sourceUrl: 'https://example.com/a.png' } }] },
        'operations.0.mask.sourceUrl',
        'foreign',
      ],
    ];
    for (const [order, field, code] of cases)
      expect({ order, errors: await refused(order) }).toMatchObject({ order, errors: [{ field, code }] });
  });

  it('accepts a mask only from the same account, and only while it exists', async () => {
    const { url } = await harness.newSource(await harness.createAccount());
    expect((await post({ operation: 'bg_remove', mask: { sourceUrl: url } })).status).toBe(404);
    const deleted = await uploaded(48, 32);
    await harness.rows('UPDATE sources SET deleted_at = now() WHERE id = $1', [
      /src_\w{32}/.exec(deleted)![0],
    ]);
    expect((await post({ operation: 'bg_remove', mask: { sourceUrl: deleted } })).status).toBe(410);
  });

  it('applies the mask to every item of a batch, and checks the proportions of each', async () => {
    const [other, order] = [await uploaded(10, 90), { operation: 'bg_remove', mask: { sourceUrl: maskUrl } }];
    const { status, body } = await harness.createBatch(account.key, {
      sourceUrls: [sourceUrl, other],
      ...order,
    });
    expect([status, body]).toMatchObject([400, { errors: [{ field: 'sourceUrls.1', code: 'range' }] }]);
    expect((await harness.createBatch(account.key, { sourceUrls: [sourceUrl], ...order })).status).toBe(201);
  });

  it('is not allowed in a preset', async () => {
    const json = { operations: [{ operation: 'bg_remove', mask: { sourceUrl: maskUrl } }] };
    const { status, body } = await harness.call('PUT', '/api/ai/presets/mine', { key: account.key, json });
    expect([status, body]).toMatchObject([
      400,
      { errors: [{ field: 'operations.0.mask', code: 'conflict' }] },
    ]);
  });

  it('is part of the request hash', async () => {
    const hashes = async (): Promise<number> =>
      (await harness.rows('SELECT DISTINCT request_hash FROM jobs WHERE account_id = $1', [account.id]))
        .length;
    const order = { operation: 'bg_remove', level: 'high' };
    await post(order);
    const before = await hashes();
    await post({ ...order, mask: { sourceUrl: maskUrl } });
    expect(await hashes()).toBe(before + 1);
  });
});
