import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DirectUploadHarness } from '../../support/app/direct-upload-harness.js';
import type { SourceAnswer } from '../../support/app/answers.js';
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

describe('POST /api/ai/uploads/:id/complete → 410', () => {
  it('for an expired upload', async () => {
    const upload = await direct.create(account.key, bytes);
    await direct.send(upload, bytes);
    await direct.harness.rows('UPDATE direct_uploads SET expires_at = now() WHERE id = $1', [upload.id]);
    const { status, body } = await direct.complete(account.key, upload.id);
    expect(status).toBe(410);
    expect(body).toMatchObject({ code: 'gone' });
  });

  it('for an upload whose source was deleted', async () => {
    const upload = await direct.create(account.key, bytes);
    await direct.send(upload, bytes);
    const { body } = await direct.complete(account.key, upload.id);
    const path = `/api/ai/sources/${(body as SourceAnswer).id}`;
    expect((await direct.harness.call('DELETE', path, { key: account.key })).status).toBe(204);
    expect((await direct.complete(account.key, upload.id)).status).toBe(410);
  });
});
