import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ReferencedObjects } from '../../../src/dispatcher/referenced-objects.js';
import { Database } from '../../../src/infra/database/database.js';
import { ObjectStore } from '../../../src/infra/storage/object-store.js';
import { JobCompletion } from '../../../src/jobs/job-completion.js';
import { thumbnailKey } from '../../../src/uploads/thumbnails/thumbnail.js';
import { newId } from '../../../src/kernel/ids.js';
import { type Harness, startHarness } from '../../support/app/harness.js';

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
