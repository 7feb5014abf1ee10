import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DirectUploadHarness } from '../../support/app/direct-upload-harness.js';
import type { TestAccount } from '../../support/app/harness.js';
import { photo } from '../../support/images/images.js';

let direct: DirectUploadHarness;
let account: TestAccount;
let bytes: Buffer;
beforeAll(async () => {
  direct = await DirectUploadHarness.start();
  account = await direct.harness.createAccount();
  bytes = await photo(64, 48, 'jpeg');
});
afterAll(() => direct?.close());

describe('POST /api/ai/uploads/:id/complete → 409 upload_incomplete', () => {
  it('until the file of the upload has been sent', async () => {
    const upload = await direct.create(account.key, bytes);
    const before = await direct.footprint();
    const { status, body } = await direct.complete(account.key, upload.id);
    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'upload_incomplete' });
    expect(await direct.footprint()).toEqual(before);
    await direct.send(upload, bytes);
    expect((await direct.complete(account.key, upload.id)).status).toBe(200);
  });

  it('for a file of the wrong size, if the store does not check it', async () => {
    const upload = await direct.create(account.key, bytes);
    await direct.send(upload, Buffer.concat([bytes, bytes]));
    const before = await direct.footprint();
    const { status, body } = await direct.complete(account.key, upload.id);
    expect(status).toBe(409);
    expect((body as { detail: string }).detail).toContain(`${2 * bytes.length} bytes`);
    expect(await direct.footprint()).toEqual(before);
  });

  it('for a file whose bytes do not match its digest', async () => {
    const upload = await direct.create(account.key, bytes, { sha256: '0'.repeat(64) });
    await direct.send(upload, bytes);
    const before = await direct.footprint();
    const { status, body } = await direct.complete(account.key, upload.id);
    expect(status).toBe(409);
    expect((body as { detail: string }).detail).toContain('SHA-256');
    expect(await direct.footprint()).toEqual(before);
  });
});
