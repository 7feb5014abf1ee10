import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
});
afterAll(() => harness.close());

const put = (name: string, json: object) =>
  harness.call('PUT', `/api/ai/presets/${name}`, { key: account.key, json });

describe('PUT /api/ai/presets/:name → 201', () => {
  it.each(['a', '0', 'a-', 'x'.repeat(63), 'catalog-2026'])('saves %s', async (name) => {
    const operations = [{ operation: 'upscale', width: 9_000 }];
    const { status, body } = await put(name, { operations });
    expect(status).toBe(201);
    expect(body).toMatchObject({ name, operations, isBuiltIn: false });
    expect(body['createdAt']).toBe(body['updatedAt']);
  });

  it('saves six operations and every option', async () => {
    const { url } = await harness.newSource(account);
    const json = {
      operations: [
        { operation: 'smooth_skin', strength: 0.5 },
        { operation: 'auto_enhance', level: 'high' },
        { operation: 'bg_remove' },
        { operation: 'upscale', scale: 2 },
        { operation: 'upscale', level: 'low', width: 100, height: 100, fit: 'cover' },
        { operation: 'auto_enhance' },
      ],
      output: {
        format: 'webp',
        quality: 80,
        background: { sourceUrl: url, fit: 'contain' },
        crop: 'subject',
        padding: 0.1,
        shadow: { opacity: 0.2 },
        maxBytes: 100_000,
        metadata: 'keep-no-gps',
        provenance: true,
      },
    };
    const { status, body } = await put('all', json);
    expect(status).toBe(201);
    expect(body).toMatchObject(json);
  });

  it('creates one preset for ten concurrent requests', async () => {
    const json = { operations: [{ operation: 'upscale' }] };
    const answers = await Promise.all(Array.from({ length: 10 }, () => put('raced', json)));
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([...Array.from({ length: 9 }, () => 200), 201]);
  });
});
