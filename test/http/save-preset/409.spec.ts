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

const json = { operations: [{ operation: 'upscale' }] };
const put = (key: string, name: string) => harness.call('PUT', `/api/ai/presets/${name}`, { key, json });

describe('PUT /api/ai/presets/:name → 409', () => {
  it.each(['portrait', 'product-on-white', 'old-scan'])('because %s is built in', async (name) => {
    const before = await harness.footprint();
    const { status, body } = await put(account.key, name);
    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'preset_read_only' });
    expect(await harness.footprint()).toEqual(before);
  });

  it('after 50 presets, even for concurrent requests; existing ones can still be replaced', async () => {
    const { key } = await harness.createAccount();
    const answers = await Promise.all(Array.from({ length: 60 }, (_, index) => put(key, `p${index}`)));
    const isSaved = answers.map(({ status }) => status === 201);
    expect(isSaved.filter(Boolean)).toHaveLength(50);
    for (const { body } of answers.filter(({ status }) => status !== 201))
      expect(body).toMatchObject({ status: 409, code: 'preset_limit_reached' });
    const saved = `p${isSaved.indexOf(true)}`;
    const refused = `p${isSaved.indexOf(false)}`;
    expect((await put(key, saved)).status).toBe(200);
    expect((await harness.call('DELETE', `/api/ai/presets/${saved}`, { key })).status).toBe(204);
    expect((await put(key, refused)).status).toBe(201);
  });
});
