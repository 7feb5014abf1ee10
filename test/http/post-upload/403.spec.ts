import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, PUBLIC_URL, startHarness } from '../../support/app/harness.js';
import { jpegOfBytes } from '../../support/images/images.js';
import { MULTIPART_TYPE } from '../../support/app/multipart.js';
import { RawRequest } from '../../support/app/raw-request.js';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

const GB = 2 ** 30;

/** Uploads, and retries while too many uploads are in progress: on a slow machine, some wait too long for a slot. */
async function uploadInTurn(
  server: Pick<Harness, 'upload'>,
  key: string,
  bytes: Buffer,
): Promise<{ status: number }> {
  for (;;) {
    const answer = await server.upload(key, bytes);
    if (answer.status !== 429) return answer;
    await delay(200);
  }
}

describe('POST /api/ai/upload → 403 quota_exceeded', () => {
  it.each([
    ['free', 1 * GB, 'personal'],
    ['personal', 50 * GB, 'business'],
    ['business', 500 * GB, 'enterprise'],
    ['enterprise', 500 * GB, undefined],
  ] as const)('for the %s plan beyond %i bytes, with the next plan: %s', async (plan, limit, upgrade) => {
    const account = await harness.createAccount({ plan });
    await harness.listen(account);
    const bytes = await jpegOfBytes(4_000);
    await harness.rows('INSERT INTO storage_usage (account_id, used_bytes) VALUES ($1, $2)', [
      account.id,
      limit - bytes.length,
    ]);
    await harness.newSource(account, bytes);
    const before = await harness.footprint();
    const { status, body } = await harness.upload(account.key, bytes);
    expect(status).toBe(403);
    expect(body).toMatchObject({
      code: 'quota_exceeded',
      quota: 'storage',
      limit,
      used: limit,
      resetsAt: null,
      upgrade: { url: expect.stringContaining(PUBLIC_URL) as unknown },
    });
    const hint = (body as { upgrade: { plan?: string; note?: string } }).upgrade;
    expect(hint.plan).toBe(upgrade);
    expect(hint.note === 'contact sales').toBe(limit === 500 * GB);
    expect(await harness.footprint()).toEqual({ ...before, events: before.events + 1 });
  });

  it('for one byte too many, but not for exactly the limit', async () => {
    const bytes = await jpegOfBytes(5_000);
    for (const [storageBytes, expected] of [
      [4_999, 403],
      [5_000, 201],
    ] as const) {
      const account = await harness.createAccount({ limits: { storageBytes } });
      await harness.listen(account);
      expect((await harness.upload(account.key, bytes)).status).toBe(expected);
    }
  });

  it('for all concurrent uploads beyond the limit, across two processes', async () => {
    const room = 5;
    const bytes = await jpegOfBytes(10_000);
    const account = await harness.createAccount({ limits: { storageBytes: room * bytes.length + 9_999 } });
    await harness.listen(account);
    const before = await harness.footprint();
    const second = await harness.another();
    try {
      const answers = await Promise.all(
        Array.from({ length: 10 * room }, (_, index) =>
          uploadInTurn(index % 2 === 0 ? harness : second, account.key, bytes),
        ),
      );
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status === 201)).toHaveLength(room);
      expect(statuses.filter((status) => status === 403)).toHaveLength(9 * room);
    } finally {
      await second.close();
    }
    const after = await harness.footprint();
    expect(after).toEqual({
      ...before,
      sources: before.sources + room,
      storageBytes: before.storageBytes + room * bytes.length,
      objects: before.objects + room,
      events: before.events + 2 * room + 1,
    });
  });

  it('before the bytes are sent, when their length is declared', async () => {
    const account = await harness.createAccount({ limits: { storageBytes: 1_000_000 } });
    await harness.listen(account);
    const request = await RawRequest.open(harness.url, 'POST /api/ai/upload', {
      'x-api-key': account.key,
      'content-type': MULTIPART_TYPE,
      'content-length': String(2_000_000),
    });
    const { status, headers } = await request.answer();
    expect(status).toBe(403);
    expect(headers).toHaveProperty('x-ratelimit-limit');
  });

  it('until a source is deleted', async () => {
    const bytes = await jpegOfBytes(5_000);
    const account = await harness.createAccount({ limits: { storageBytes: 5_000 } });
    await harness.listen(account);
    const { id } = await harness.newSource(account, bytes);
    expect((await harness.upload(account.key, bytes)).status).toBe(403);
    await harness.call('DELETE', `/api/ai/sources/${id}`, { key: account.key });
    expect((await harness.upload(account.key, bytes)).status).toBe(201);
  });
});
