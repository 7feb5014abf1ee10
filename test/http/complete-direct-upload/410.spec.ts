import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { DirectUploadsRepository } from '../../../src/uploads/direct/direct-uploads.repository.js';
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

  it('for an upload that is swept while its file is read', async () => {
    const upload = await direct.create(account.key, bytes);
    await direct.send(upload, bytes);
    const repository = direct.harness.app.get(DirectUploadsRepository);
    const claim = repository.claim.bind(repository);
    const spy = vi.spyOn(repository, 'claim').mockImplementation(async (...asked) => {
      await direct.harness.rows('DELETE FROM direct_uploads WHERE id = $1', [upload.id]);
      return claim(...asked);
    });
    const { status, body } = await direct.complete(account.key, upload.id);
    spy.mockRestore();
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
