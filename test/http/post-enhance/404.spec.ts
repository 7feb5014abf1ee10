import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import { type Harness, PUBLIC_URL } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
beforeAll(async () => {
  harness = await sharedHarness();
});
afterAll(() => harness.close());

describe('POST /api/ai/enhance → 404', () => {
  it("treats another account's source like one that does not exist", async () => {
    const [account, stranger] = [await harness.createAccount(), await harness.createAccount()];
    const theirs = await harness.newSource(stranger);
    const unknownId = newId('source');
    const before = await harness.footprint();
    const foreign = await harness.createJob(account.key, { sourceUrl: theirs.url, operation: 'upscale' });
    const unknown = await harness.createJob(account.key, {
      sourceUrl: `${PUBLIC_URL}/files/${unknownId}.jpg`,
      operation: 'upscale',
    });
    expect([foreign.status, unknown.status]).toEqual([404, 404]);
    const details = [foreign, unknown].map(({ body }) => (body as { detail: string }).detail);
    expect(details[0]!.replace(theirs.id, '')).toBe(details[1]!.replace(unknownId, ''));
    expect(await harness.footprint()).toEqual(before);
  });

  it('for a source that this process remembers, but whose row was erased', async () => {
    const account = await harness.createAccount();
    const { id, url } = await harness.newSource(account);
    await harness.rows('DELETE FROM sources WHERE id = $1', [id]);
    const before = await harness.footprint();
    const { status, body } = await harness.createJob(account.key, { sourceUrl: url, operation: 'upscale' });
    expect(status).toBe(404);
    expect(body).toMatchObject({ code: 'not_found', detail: `There is no source "${id}" in your account.` });
    expect(await harness.footprint()).toEqual(before);
  });
});
