import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DirectUploadHarness } from '../../support/app/direct-upload-harness.js';
import type { TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let direct: DirectUploadHarness;
let account: TestAccount;
beforeAll(async () => {
  direct = await DirectUploadHarness.start();
});
beforeEach(async () => {
  account = await direct.harness.createAccount();
});
afterAll(() => direct?.close());

const BYTES = Buffer.from('exactly these');

describe('POST /api/ai/uploads → 201', () => {
  it('returns a URL of the object store that accepts the file', async () => {
    const upload = await direct.create(account.key, BYTES);
    expect(upload).toMatchObject({ method: 'PUT', headers: {} });
    const url = new URL(upload.uploadUrl);
    expect(url.origin).toBe(direct.server.url);
    expect(url.pathname).toContain(`/incoming/${upload.id}`);
    expect(url.searchParams.get('X-Amz-SignedHeaders')).toContain('content-length');
    expect(await direct.send(upload, BYTES)).toBe(200);
    const leftMs = Date.parse(upload.expiresAt) - Date.now();
    expect(leftMs).toBeGreaterThan(800_000);
    expect(leftMs).toBeLessThanOrEqual(900_000);
  });

  it('does not count storage yet', async () => {
    await direct.create(account.key, BYTES);
    const { body } = await direct.harness.call('GET', '/api/usage', { key: account.key });
    expect(body).toMatchObject({ storage: { usedBytes: 0 } });
  });
});

describe('POST /api/ai/uploads, refused', () => {
  it.each([
    [{}, 'bytes'],
    [{ bytes: 0 }, 'bytes'],
    [{ bytes: 1.5 }, 'bytes'],
    [{ bytes: 10, sha256: 'ABC' }, 'sha256'],
    [{ bytes: 10, name: 'x' }, 'name'],
  ])('returns 400 for %j', async (json, field) => {
    const { status, body } = await direct.harness.call('POST', '/api/ai/uploads', { key: account.key, json });
    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: [{ field }] });
  });

  it('returns 413 for a file that is too large', async () => {
    const json = { bytes: 20 * 2 ** 20 + 1 };
    const { status, body } = await direct.harness.call('POST', '/api/ai/uploads', { key: account.key, json });
    expect(status).toBe(413);
    expect(body).toMatchObject({ code: 'payload_too_large' });
  });

  it('returns 403 for an account without storage left', async () => {
    await direct.harness.accountsOf.setPlan(account.id, 'enterprise', { storageBytes: 5 });
    const json = { bytes: 10 };
    const { status, body } = await direct.harness.call('POST', '/api/ai/uploads', { key: account.key, json });
    expect(status).toBe(403);
    expect(body).toMatchObject({ code: 'quota_exceeded', quota: 'storage' });
  });

  it('returns 429 for the 21st open upload, even when requests are concurrent', async () => {
    const answers = await Promise.all(
      Array.from({ length: 25 }, () =>
        direct.harness.call('POST', '/api/ai/uploads', { key: account.key, json: { bytes: 10 } }),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(5);
    expect(answers.find(({ status }) => status === 429)!.body).toMatchObject({ code: 'too_many_uploads' });
  });

  it('returns 403 when objects are stored on disk, and names the route that works', async () => {
    const onDisk = await sharedHarness();
    const { key } = await onDisk.createAccount();
    const before = await onDisk.footprint();
    const { status, body } = await onDisk.call('POST', '/api/ai/uploads', { key, json: { bytes: 10 } });
    expect(status).toBe(403);
    expect(body).toMatchObject({ code: 'feature_disabled' });
    expect((body as { detail: string }).detail).toContain('POST /api/ai/upload');
    expect(await onDisk.footprint()).toEqual(before);
  });
});
