import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ObjectStore } from '../../../src/infra/storage/object-store.js';
import { contentsOf, endedBatch, readArchive } from '../../support/app/batch-archive.js';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
});
afterAll(() => harness.close());

describe('GET /api/ai/batches/:id/results.zip → 200', () => {
  it('contains a manifest and the results in order, with the same bytes each time', async () => {
    const { id, jobs } = await endedBatch(harness, account);
    const { status, headers, bytes } = await readArchive(harness, account, id);
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/zip',
      'content-length': String(bytes.length),
      'content-disposition': `attachment; filename="${id}.zip"`,
      'accept-ranges': 'bytes',
      'x-ratelimit-limit': expect.any(String) as unknown,
    });
    const { manifest, names } = contentsOf(bytes);
    expect(names).toEqual(['manifest.json', '0000-photo-upscaled.png', '0002-photo-upscaled.png']);
    expect(manifest).toMatchObject({
      batchId: id,
      items: [
        { jobId: jobs[0], status: 'completed', file: names[1], bytes: 16 },
        { jobId: jobs[1], status: 'failed', file: null, error: 'no_subject_found' },
        { jobId: jobs[2], status: 'completed', file: names[2] },
      ],
    });
    expect(bytes.includes('the first result')).toBe(true);
    const again = await readArchive(harness, account, id);
    expect(again.bytes).toEqual(bytes);
    expect(again.headers.get('etag')).toBe(headers.get('etag'));
    const head = await readArchive(harness, account, id, {}, 'HEAD');
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)]);
  });

  it('leaves out results that were deleted or have expired, and changes its ETag', async () => {
    const { id, jobs } = await endedBatch(harness, account);
    const before = await readArchive(harness, account, id);
    await harness.rows("UPDATE jobs SET result_expires_at = now() - interval '1 s' WHERE id = $1", [jobs[0]]);
    const after = await readArchive(harness, account, id);
    expect(contentsOf(after.bytes).names).toEqual(['manifest.json', '0002-photo-upscaled.png']);
    expect(contentsOf(after.bytes).manifest.items[0]).toMatchObject({ status: 'completed', file: null });
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
    await harness.call('DELETE', `/api/ai/enhance/${jobs[2]!}`, { key: account.key });
    expect(contentsOf((await readArchive(harness, account, id)).bytes).names).toEqual(['manifest.json']);
  });

  it('leaves out a result whose file is missing, after one download that breaks off', async () => {
    const { id, jobs } = await endedBatch(harness, account);
    const before = await readArchive(harness, account, id, {}, 'HEAD');
    const [{ key }] = (await harness.rows<{ key: string }>(
      'SELECT result_key AS key FROM jobs WHERE id = $1',
      [jobs[0]],
    )) as [{ key: string }];
    const store = harness.app.get(ObjectStore);
    await store.delete(key);
    await expect(readArchive(harness, account, id)).rejects.toThrow('terminated');
    const after = await readArchive(harness, account, id);
    expect(contentsOf(after.bytes).names).toEqual(['manifest.json', '0002-photo-upscaled.png']);
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
  });

  it('changes its ETag when an upload is deleted, because the names of files change', async () => {
    const { id, jobs } = await endedBatch(harness, account);
    const [{ source }] = (await harness.rows<{ source: string }>(
      `UPDATE sources SET name = 'beach.jpg' WHERE id = (SELECT source_id FROM jobs WHERE id = $1)
       RETURNING id AS source`,
      [jobs[0]],
    )) as [{ source: string }];
    const before = await readArchive(harness, account, id, {}, 'HEAD');
    await harness.call('DELETE', `/api/ai/sources/${source}`, { key: account.key });
    const after = await readArchive(harness, account, id, {}, 'HEAD');
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
  });

  it('sanitizes file names so that they stay inside the folder', async () => {
    const { id, jobs } = await endedBatch(harness, account);
    await harness.rows(`UPDATE sources SET name = $2 WHERE id = (SELECT source_id FROM jobs WHERE id = $1)`, [
      jobs[0],
      '../..\\etc:passwd.jpg',
    ]);
    const { names } = contentsOf((await readArchive(harness, account, id)).bytes);
    expect(names[1]).toBe('0000-.._.._etc_passwd-upscaled.png');
  });
});
