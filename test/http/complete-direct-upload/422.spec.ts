import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DirectUploadHarness } from '../../support/app/direct-upload-harness.js';
import type { TestAccount } from '../../support/app/harness.js';
import { photo } from '../../support/images/images.js';

let direct: DirectUploadHarness;
let account: TestAccount;
beforeAll(async () => {
  direct = await DirectUploadHarness.start();
  account = await direct.harness.createAccount();
});
afterAll(() => direct?.close());

describe('POST /api/ai/uploads/:id/complete with a file that is not an image', () => {
  it.each([
    ['422 for a truncated image', async () => (await photo(64, 48, 'jpeg')).subarray(0, 200), 422],
    ['415 for text', async () => Buffer.from('<html>not an image</html>'), 415],
  ])('returns %s, and stores nothing', async (_, make, expected) => {
    const bytes = Buffer.from(await make());
    const upload = await direct.create(account.key, bytes);
    await direct.send(upload, bytes);
    const before = await direct.footprint();
    const { status } = await direct.complete(account.key, upload.id);
    expect(status).toBe(expected);
    expect(await direct.footprint()).toEqual(before);
  });
});
