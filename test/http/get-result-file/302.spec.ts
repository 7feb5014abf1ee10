import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ObjectStore } from '../../../src/infra/storage/object-store.js';
import { type Harness, PUBLIC_URL } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import { newResult } from '../../support/app/results.js';

const STORE_URL = 'https://bucket.example/object?X-Amz-Expires=60';

let harness: Harness;
beforeAll(async () => {
  harness = await sharedHarness();
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => harness.close());

describe('GET /files/job_… → 302', () => {
  // Objects in a folder have no URLs. test/roles/storage/direct-urls.spec.ts redirects to a real S3 server.
  it('to the URL of the object, if the store has one', async () => {
    const directUrl = vi.spyOn(harness.app.get(ObjectStore), 'directUrl').mockResolvedValue(STORE_URL);
    const account = await harness.createAccount();
    const { resultUrl } = await newResult(harness, account);
    const path = resultUrl.replace(PUBLIC_URL, '');
    const { status, headers } = await harness.call('GET', path);
    expect([status, headers['location'], headers['cache-control']]).toEqual([302, STORE_URL, 'no-store']);
    const expiresAt = Number(new URL(path, PUBLIC_URL).searchParams.get('exp'));
    expect(directUrl).toHaveBeenCalledExactlyOnceWith(
      expect.any(String),
      expect.objectContaining({ expiresAt }),
    );
  });
});
