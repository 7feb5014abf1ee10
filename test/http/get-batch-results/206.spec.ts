import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endedBatch, readArchive } from '../../support/app/batch-archive.js';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
});
afterAll(() => harness.close());

describe('GET /api/ai/batches/:id/results.zip → 206', () => {
  it('sends any range of the archive, so that a download can be resumed', async () => {
    const { id } = await endedBatch(harness, account);
    const { bytes, headers } = await readArchive(harness, account, id);
    const etag = headers.get('etag')!;
    const pieces: Buffer[] = [];
    for (let start = 0; start < bytes.length; start += 300) {
      const range = `bytes=${start}-${start + 299}`;
      const piece = await readArchive(harness, account, id, { range, 'if-range': etag });
      expect(piece.status).toBe(206);
      const end = Math.min(start + 299, bytes.length - 1);
      expect(piece.headers.get('content-range')).toBe(`bytes ${start}-${end}/${bytes.length}`);
      pieces.push(piece.bytes);
    }
    expect(Buffer.concat(pieces)).toEqual(bytes);
    const changed = await readArchive(harness, account, id, { range: 'bytes=5-', 'if-range': '"other"' });
    expect([changed.status, changed.bytes.length]).toEqual([200, bytes.length]);
  });
});
