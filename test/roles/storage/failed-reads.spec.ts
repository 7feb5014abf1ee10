import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ObjectStore } from '../../../src/infra/storage/object-store.js';
import { AppError } from '../../../src/kernel/app-error.js';
import { FileUrls } from '../../../src/uploads/files/file-urls.js';
import { thumbnailName } from '../../../src/uploads/thumbnails/thumbnail.js';
import { DashboardClient } from '../../support/app/dashboard-client.js';
import { type Harness, PUBLIC_URL, startHarness } from '../../support/app/harness.js';
import { newResult } from '../../support/app/results.js';

const BYTES = Buffer.from('these are the pixels');

/** The store fails after its headers and before the first byte. */
const failing = (): Readable =>
  new Readable({
    read() {
      this.destroy(new AppError('service_unavailable', { retryAfterSeconds: 5 }));
    },
  });

describe('a file whose first byte cannot be read', () => {
  let harness: Harness;
  const paths: Record<'result' | 'thumbnail' | 'shared', string> = { result: '', thumbnail: '', shared: '' };

  beforeAll(async () => {
    harness = await startHarness();
    const account = await harness.createAccount();
    paths.result = (await newResult(harness, account, BYTES)).resultUrl.replace(PUBLIC_URL, '');
    const [jobId] = /job_[0-9a-f]{32}/.exec(paths.result)!;
    const thumbnailUrl = harness.app.get(FileUrls, { strict: false }).signSteadily(thumbnailName(jobId));
    paths.thumbnail = thumbnailUrl.replace(PUBLIC_URL, '');
    const browser = new DashboardClient(harness);
    await browser.signInto(account);
    const made = await browser.call('POST', '/ai/share-links', { json: { jobId, expiresIn: 3_600 } });
    paths.shared = `${(made.body as { url: string }).url.replace(PUBLIC_URL, '')}/download`;
  });
  afterEach(() => vi.restoreAllMocks());
  afterAll(() => harness?.close());

  it.each(['result', 'thumbnail', 'shared'] as const)('%s → a 503 that is not cached', async (name) => {
    const open = vi.spyOn(harness.app.get(ObjectStore), 'open').mockImplementation(async (_key, rangeOf) => ({
      stream: failing(),
      sizeBytes: BYTES.length,
      range: rangeOf?.(BYTES.length) ?? null,
    }));
    const { status, headers } = await harness.call('GET', paths[name], { headers: { range: 'bytes=0-4' } });
    expect(open).toHaveBeenCalledOnce();
    expect([status, headers['cache-control'], headers['retry-after']]).toEqual([503, 'no-store', '5']);
    for (const header of ['etag', 'content-range', 'content-disposition'])
      expect(headers, header).not.toHaveProperty([header]);
  });
});
