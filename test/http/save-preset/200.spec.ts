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

const PATH = '/api/ai/presets/mine';
const json = { operations: [{ operation: 'auto_enhance', level: 'low' }], output: { format: 'png' } };

const put = (given: object) => harness.call('PUT', PATH, { key: account.key, json: given });

const newestAudit = async (): Promise<{ action: string; details: object }[]> =>
  harness.rows('SELECT action, details FROM audit_events WHERE account_id = $1 ORDER BY id', [account.id]);

describe('PUT /api/ai/presets/:name → 200', () => {
  it('replaces the whole preset, and records who changed it', async () => {
    const { body: created } = await put(json);
    const { status, body } = await put({ operations: [{ operation: 'upscale' }] });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      name: 'mine',
      operations: [{ operation: 'upscale' }],
      createdAt: created['createdAt'] as string,
    });
    expect(body).not.toHaveProperty('output');
    expect(Date.parse(body['updatedAt'] as string)).toBeGreaterThan(
      Date.parse(created['updatedAt'] as string),
    );
    expect((await newestAudit()).slice(-2)).toEqual([
      { action: 'preset.created', details: { operations: ['auto_enhance'] } },
      { action: 'preset.updated', details: { operations: ['upscale'] } },
    ]);
  });

  it('changes nothing when the preset is the same', async () => {
    await put(json);
    const before = await newestAudit();
    const { body: first } = await put(json);
    const { status, body } = await put(json);
    expect(status).toBe(200);
    expect(body).toEqual(first);
    expect(await newestAudit()).toEqual(before);
  });
});
