import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { EXPIRED_DIRECT_UPLOADS } from '../../../src/dispatcher/retention/direct-uploads.sql.js';
import { Database } from '../../../src/infra/database/database.js';
import { ObjectStore } from '../../../src/infra/storage/object-store.js';
import { UploadSlots } from '../../../src/uploads/receiving/upload-slots.js';
import { DirectUploadHarness } from '../../support/app/direct-upload-harness.js';
import type { DirectUploadDto } from '../../../src/uploads/direct/direct-upload.dto.js';
import type { SourceAnswer } from '../../support/app/answers.js';
import type { TestAccount } from '../../support/app/harness.js';
import { photo } from '../../support/images/images.js';

/** Hours that a completed upload is kept. */
const HOURS = 5;

let direct: DirectUploadHarness;
let account: TestAccount;
let bytes: Buffer;
beforeAll(async () => {
  direct = await DirectUploadHarness.start();
  bytes = await photo(64, 48, 'jpeg');
});
beforeEach(async () => {
  account = await direct.harness.createAccount();
});
afterAll(() => direct?.close());

const sha256 = (data: Buffer): string => createHash('sha256').update(data).digest('hex');

async function keys(): Promise<string[]> {
  const found: string[] = [];
  for await (const key of direct.harness.app.get(ObjectStore).keysOlderThan(-1_000)) found.push(key);
  return found;
}

/** Sweeps after the upload expired an hour ago. */
async function sweepExpired(id: string): Promise<unknown> {
  await direct.harness.rows(
    `UPDATE direct_uploads SET expires_at = now() - interval '1 hour' WHERE id = $1`,
    [id],
  );
  return (await direct.harness.app.get(Database).query(EXPIRED_DIRECT_UPLOADS, [HOURS]))[0];
}

describe('POST /api/ai/uploads/:id/complete → 200', () => {
  it('returns the same source as any other upload, with its bytes, storage, and events', async () => {
    await direct.harness.listen(account);
    const upload = await direct.create(account.key, bytes, {
      sha256: sha256(bytes),
      fileName: 'C:\\photos\\me.jpg',
    });
    expect(await direct.send(upload, bytes)).toBe(200);
    const { status, body, text } = await direct.complete(account.key, upload.id);
    expect(status, text).toBe(200);
    const source = body as SourceAnswer;
    expect(source).toMatchObject({ format: 'jpeg', width: 64, height: 48, bytes: bytes.length });
    expect(source.sha256).toBe(sha256(bytes));
    const found = await keys();
    expect(found).toContain(`sources/${source.id}.jpg`);
    expect(found).not.toContain(`incoming/${upload.id}`);
    const usage = await direct.harness.call('GET', '/api/usage', { key: account.key });
    expect(usage.body).toMatchObject({ storage: { usedBytes: bytes.length } });
    expect(await direct.harness.eventTypes(account)).toEqual(['image.uploaded', 'upload.finished']);
    expect(await direct.harness.rows('SELECT name FROM sources WHERE id = $1', [source.id])).toEqual([
      { name: 'me.jpg' },
    ]);
    await direct.harness.newJob(account, { sourceUrl: source.url });
  });

  it('returns the same source when another request completes it before this one reads the file', async () => {
    const upload = await direct.create(account.key, bytes);
    await direct.send(upload, bytes);
    const store = direct.harness.app.get(ObjectStore);
    const open = store.open.bind(store);
    let first: SourceAnswer | undefined;
    const spy = vi.spyOn(store, 'open').mockImplementationOnce(async (key) => {
      const { body } = await direct.complete(account.key, upload.id);
      first = body as SourceAnswer;
      return open(key);
    });
    const { status, body, text } = await direct.complete(account.key, upload.id);
    spy.mockRestore();
    expect(status, text).toBe(200);
    expect((body as SourceAnswer).id).toBe(first!.id);
  });

  it('creates one source, even when many requests complete the upload at the same time', async () => {
    const upload = await direct.create(account.key, bytes);
    await direct.send(upload, bytes);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => direct.complete(account.key, upload.id)),
    );
    answers.push(await direct.complete(account.key, upload.id));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => (body as SourceAnswer).id)).size).toBe(1);
    const usage = await direct.harness.call('GET', '/api/usage', { key: account.key });
    expect(usage.body).toMatchObject({ storage: { usedBytes: bytes.length } });
    const mine = await direct.harness.rows('SELECT 1 FROM sources WHERE account_id = $1', [account.id]);
    expect(mine).toHaveLength(1);
  });

  describe('when the source of another request leaves no room for a second one', () => {
    let upload: DirectUploadDto;
    let first: SourceAnswer;
    beforeEach(async () => {
      account = await direct.harness.createAccount({ limits: { storageBytes: 1.5 * bytes.length } });
      await direct.harness.listen(account);
      upload = await direct.create(account.key, bytes);
      await direct.send(upload, bytes);
    });
    afterEach(() => void vi.restoreAllMocks());

    async function completeFirst(): Promise<void> {
      const { status, body, text } = await direct.complete(account.key, upload.id);
      expect(status, text).toBe(200);
      first = body as SourceAnswer;
    }

    /** The second response, and what both requests have written. */
    async function second(): Promise<object> {
      const { status, body } = await direct.complete(account.key, upload.id);
      return { status, id: (body as SourceAnswer).id, events: await direct.harness.eventTypes(account) };
    }
    const sameSource = (): object => ({
      status: 200,
      id: first.id,
      events: ['image.uploaded', 'upload.finished'],
    });

    it('returns the same source if it waited for its turn', async () => {
      const slots = direct.harness.app.get(UploadSlots);
      const take = slots.take.bind(slots);
      vi.spyOn(slots, 'take').mockImplementationOnce(async (...given) => {
        await completeFirst();
        return take(...given);
      });
      expect(await second()).toEqual(sameSource());
    });

    it('returns the same source if it has read the file', async () => {
      const store = direct.harness.app.get(ObjectStore);
      const beginWrite = store.beginWrite.bind(store);
      vi.spyOn(store, 'beginWrite').mockImplementationOnce(async () => {
        const pending = await beginWrite();
        const commit = pending.commit.bind(pending);
        return Object.assign(pending, {
          commit: async (key: string) => {
            await completeFirst();
            await commit(key);
          },
        });
      });
      expect(await second()).toEqual(sameSource());
    });
  });

  it('keeps the checked bytes, whatever is sent to the upload URL afterward', async () => {
    const upload = await direct.create(account.key, bytes);
    await direct.send(upload, bytes);
    const { body } = await direct.complete(account.key, upload.id);
    const other = Buffer.alloc(bytes.length, 7);
    expect(await direct.send(upload, other)).toBe(200);
    const again = await direct.complete(account.key, upload.id);
    expect((again.body as SourceAnswer).id).toBe((body as SourceAnswer).id);
    const store = direct.harness.app.get(ObjectStore);
    expect(await store.read(`sources/${(body as SourceAnswer).id}.jpg`)).toEqual(bytes);
    // A file that arrives too late is swept when the URL has expired.
    expect(await sweepExpired(upload.id)).toEqual({ deleted: 1 });
    expect(
      await direct.harness.rows('SELECT object_key FROM object_erasures WHERE object_key = $1', [
        `incoming/${upload.id}`,
      ]),
    ).toHaveLength(1);
  });

  it('returns the same source for as long as idempotency keys are kept, without the name of the file', async () => {
    const upload = await direct.create(account.key, bytes, { fileName: 'me.jpg' });
    await direct.send(upload, bytes);
    const { body } = await direct.complete(account.key, upload.id);
    expect(await sweepExpired(upload.id)).toEqual({ deleted: 1 });
    const again = await direct.complete(account.key, upload.id);
    expect(again.status, again.text).toBe(200);
    expect((again.body as SourceAnswer).id).toBe((body as SourceAnswer).id);
    const usage = await direct.harness.call('GET', '/api/usage', { key: account.key });
    expect(usage.body).toMatchObject({ storage: { usedBytes: bytes.length } });
    const [row] = await direct.harness.rows<{ name: null; hours: number }>(
      `SELECT name, extract(epoch FROM expires_at - now())::float8 / 3600 AS hours FROM direct_uploads WHERE id = $1`,
      [upload.id],
    );
    expect(row).toEqual({ name: null, hours: expect.closeTo(HOURS - 1, 1) as number });

    await direct.harness.rows(
      `UPDATE direct_uploads SET created_at = created_at - interval '2 days' WHERE id = $1`,
      [upload.id],
    );
    expect(await sweepExpired(upload.id)).toEqual({ deleted: 1 });
    expect((await direct.complete(account.key, upload.id)).status).toBe(404);
  });
});
