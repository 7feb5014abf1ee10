import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, type TestAccount } from '../../../support/app/harness.js';
import { sharedHarness } from '../../../support/app/shared-harness.js';

let harness: Harness;
let account: TestAccount;
let sourceUrl: string;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
  sourceUrl = (await harness.newSource(account)).url;
});
afterAll(() => harness.close());

interface Problem {
  readonly errors: readonly { readonly field: string; readonly message: string }[];
}

const post = (order: object, key = account.key) =>
  harness.call('POST', '/api/ai/enhance', { key, json: { sourceUrl, ...order } });

/** The messages of a refusal, by field. */
async function refused(order: object, expected = 400): Promise<Record<string, string>> {
  const before = await harness.footprint();
  const { status, body, text } = await post(order);
  expect(status, text).toBe(expected);
  expect(await harness.footprint()).toEqual(before);
  return Object.fromEntries((body as Problem).errors.map(({ field, message }) => [field, message]));
}

describe('POST /api/ai/enhance: options of operations and results', () => {
  it.each([
    [{ operation: 'auto_enhance', output: { crop: 'subject' } }, 'output.crop'],
    [{ operation: 'auto_enhance', output: { shadow: true } }, 'output.shadow'],
    [{ operation: 'auto_enhance', output: { kind: 'mask' } }, 'output.kind'],
    [{ operation: 'bg_remove', output: { padding: 0.1 } }, 'output.padding'],
    [{ operation: 'bg_remove', output: { kind: 'edges', shadow: true } }, 'output.shadow'],
    [{ operation: 'bg_remove', strength: 0.5 }, 'strength'],
    [{ operation: 'upscale', strength: 0.5 }, 'strength'],
    [{ operation: 'smooth_skin', scale: 2 }, 'scale'],
    [{ operation: 'smooth_skin', width: 10 }, 'width'],
    [{ operation: 'upscale', scale: 3 }, 'scale'],
    [{ operation: 'upscale', scale: 4, level: 'low' }, 'scale'],
    [{ operation: 'upscale', width: 100, fit: 'cover' }, 'fit'],
  ])('refuses options that do not fit, with field, reason, and remedy: %j', async (order, field) => {
    const refusals = await refused(order);
    expect(Object.keys(refusals)).toEqual([field]);
    expect(refusals[field]).toMatch(/^\S+ .+\. ?.*(Omit|Use|Choose|Add|For other sizes)/);
  });

  it('names the largest possible size', async () => {
    const refusals = await refused({ operation: 'upscale', width: 48 * 4 + 1 });
    expect(refusals['width']).toContain('Level high can enlarge 48 × 32 pixels to at most 192 × 128.');
  });

  it('accepts a background only from the same account', async () => {
    const stranger = await harness.createAccount();
    const { url } = await harness.newSource(stranger);
    const order = { operation: 'bg_remove', output: { background: { sourceUrl: url } } };
    expect((await post(order)).status).toBe(404);
    expect(
      await refused({
        operation: 'bg_remove',
        output: { background: { sourceUrl: 'https://example.com/a.jpg' } },
      }),
    ).toHaveProperty(['output.background.sourceUrl']);
  });

  it('returns the options as they were resolved', async () => {
    const { url } = await harness.newSource(account);
    const { status, body, text } = await post({
      operation: 'bg_remove',
      output: { background: { sourceUrl: url }, crop: 'subject', shadow: { opacity: 0.2 }, format: 'jpeg' },
    });
    expect(status, text).toBe(201);
    expect((body as { output: unknown }).output).toEqual({
      format: 'jpeg',
      quality: null,
      background: { sourceUrl: expect.stringMatching(/^http/) as unknown, fit: 'cover' },
      crop: 'subject',
      padding: 0,
      shadow: { opacity: 0.2, blur: 0.025, offsetX: 0.01, offsetY: 0.025 },
    });
    const strong = await post({ operation: 'smooth_skin', strength: 0.1 });
    expect(strong.body).toMatchObject({ operations: [{ operation: 'smooth_skin', strength: 0.1 }] });
    const sized = await post({ operation: 'upscale', width: 50, dryRun: true });
    expect(sized.body).toMatchObject({ result: { width: 50 } });
  });
});
