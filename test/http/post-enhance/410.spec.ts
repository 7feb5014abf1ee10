import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { SourcesRepository } from '../../../src/uploads/sources/sources.repository.js';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
let other: Harness;
beforeAll(async () => {
  harness = await sharedHarness();
  other = await harness.another();
});
afterEach(() => void vi.restoreAllMocks());
afterAll(async () => {
  await other.close();
  await harness.close();
});

const create = ({ key }: TestAccount, sourceUrl: string, more: object = {}) =>
  harness.createJob(key, { sourceUrl, operation: 'upscale', ...more });

describe('POST /api/ai/enhance → 410', () => {
  it('for a deleted source', async () => {
    const account = await harness.createAccount();
    const { id, url } = await harness.newSource(account);
    await harness.call('DELETE', `/api/ai/sources/${id}`, { key: account.key });
    const before = await harness.footprint();
    const { status, body } = await create(account, url);
    expect(status).toBe(410);
    expect(body).toMatchObject({ code: 'gone' });
    expect(await harness.footprint()).toEqual(before);
  });

  it('for a source that this process remembers, but another process deleted', async () => {
    const account = await harness.createAccount();
    const { id, url } = await harness.newSource(account);
    const reading = vi.spyOn(harness.app.get(SourcesRepository), 'findForJob');
    expect((await create(account, url)).status).toBe(201);
    // The case under test: the job was created without reading the source.
    expect(reading).not.toHaveBeenCalled();
    await other.call('DELETE', `/api/ai/sources/${id}`, { key: account.key });
    const before = await harness.footprint();
    for (const more of [{}, { callbackUrl: 'https://receiver.example/done' }, { cache: true }]) {
      const { status, body } = await create(account, url, more);
      expect(status, JSON.stringify(body)).toBe(410);
      expect(body).toMatchObject({ code: 'gone', detail: `The source "${id}" was deleted.` });
    }
    expect(await harness.footprint()).toEqual(before);
  });

  it('for those of a hundred concurrent creations that come after the deletion', async () => {
    const account = await harness.createAccount();
    const { id, url } = await harness.newSource(account);
    const creations = Array.from({ length: 100 }, () => create(account, url));
    const deletion = other.call('DELETE', `/api/ai/sources/${id}`, { key: account.key });
    const answers = await Promise.all(creations);
    expect((await deletion).status).toBe(204);
    const created = answers.filter(({ status }) => status === 201);
    expect(answers.filter(({ status }) => status === 410).length).toBe(100 - created.length);
    const [row] = await harness.rows<{ jobs: number; used: number }>(
      `SELECT (SELECT count(*)::int FROM jobs WHERE account_id = $1) AS jobs,
              (SELECT coalesce(sum(used), 0)::int FROM enhancement_usage WHERE account_id = $1) AS used`,
      [account.id],
    );
    expect(row).toEqual({ jobs: created.length, used: created.length });
  });
});
