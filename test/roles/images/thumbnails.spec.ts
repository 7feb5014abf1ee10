import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ReferencedObjects } from '../../../src/dispatcher/referenced-objects.js';
import { Database } from '../../../src/infra/database/database.js';
import { ObjectStore } from '../../../src/infra/storage/object-store.js';
import { JobCompletion } from '../../../src/jobs/job-completion.js';
import { JobsRepository } from '../../../src/jobs/jobs.repository.js';
import { thumbnailKey } from '../../../src/uploads/thumbnails/thumbnail.js';
import { newId } from '../../../src/kernel/ids.js';
import type { JobRun } from '../../../src/worker/job-run.js';
import { storeThumbnail } from '../../../src/worker/steps/thumbnail.js';
import { StoredResults } from '../../../src/worker/stored-results.js';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';

describe('a thumbnail', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await startHarness();
  });
  afterAll(() => harness?.close());

  it('is referenced as long as its result exists, and is deleted with it', async () => {
    const account = await harness.createAccount();
    const known = new ReferencedObjects(harness.app.get(Database));
    const [finished, waiting] = [await harness.newJob(account), await harness.newJob(account)];
    const before = await harness.footprint();
    await harness.jobs.complete(finished.id);
    const keys = [finished.id, waiting.id, newId('job')].map(thumbnailKey);
    expect(await known.unknownOf(keys)).toEqual(keys.slice(1));
    expect(await known.unknownOf(['thumbnails/other.webp', `thumbnails/x${finished.id}.webp`])).toHaveLength(
      2,
    );

    await harness.app.get(ObjectStore).put(keys[0]!, Buffer.from('small picture'));
    await harness.app.get(JobCompletion).eraseResult(finished.id);
    expect(await known.unknownOf(keys)).toEqual(keys);
    expect((await harness.footprint()).objects).toBe(before.objects);
  });

  it('of a photo is referenced as long as the photo exists', async () => {
    const account = await harness.createAccount();
    const known = new ReferencedObjects(harness.app.get(Database));
    const { id } = await harness.newSource(account);
    const keys = [id, newId('source')].map(thumbnailKey);
    expect(await known.unknownOf(keys)).toEqual(keys.slice(1));
    await harness.call('DELETE', `/api/ai/sources/${id}`, { key: account.key });
    expect(await known.unknownOf(keys)).toEqual(keys);
  });
});

describe('the thumbnail of a completed job', () => {
  let harness: Harness;
  let account: TestAccount;
  let store: ObjectStore;
  beforeAll(async () => {
    harness = await startHarness();
    account = await harness.createAccount();
    store = harness.app.get(ObjectStore);
  });
  afterEach(() => void vi.restoreAllMocks());
  afterAll(() => harness?.close());

  const keep = (id: string) =>
    storeThumbnail({ job: { id } } as JobRun, Buffer.from('small picture'), {
      store,
      results: new StoredResults(harness.app.get(JobsRepository), store),
    });

  async function isStored(id: string): Promise<boolean> {
    return store.read(thumbnailKey(id)).then(
      () => true,
      () => false,
    );
  }

  /** Stores the thumbnail of a new job, and does this just before the store writes it. */
  async function keepAfter(act: (id: string) => Promise<unknown>): Promise<string> {
    const { id } = await harness.newJob(account);
    await harness.jobs.complete(id);
    const put = store.put.bind(store);
    vi.spyOn(store, 'put').mockImplementationOnce(async (...given) => {
      await act(id);
      await put(...given);
    });
    await keep(id);
    return id;
  }

  it('is stored', async () => {
    expect(await isStored(await keepAfter(async () => undefined))).toBe(true);
  });

  const ERASURES: [string, (id: string) => Promise<unknown>][] = [
    ['the result was erased', (id) => harness.app.get(JobCompletion).eraseResult(id)],
    ['the job was deleted', (id) => harness.app.get(JobCompletion).delete(account.id, id)],
    ['the row is gone', (id) => harness.rows('DELETE FROM jobs WHERE id = $1', [id])],
  ];

  it.each(ERASURES)('is not kept if %s meanwhile', async (_, erase) => {
    expect(await isStored(await keepAfter(erase))).toBe(false);
  });

  it('is not kept while nobody knows whether the result exists', async () => {
    const id = await keepAfter(async () => {
      vi.spyOn(harness.app.get(JobsRepository), 'findById').mockRejectedValueOnce(new Error('no database'));
    });
    expect(await isStored(id)).toBe(false);
  });
});
