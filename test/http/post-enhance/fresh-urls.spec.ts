import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fingerprintOf } from '../../../src/idempotency/idempotency.service.js';
import { FileUrls } from '../../../src/uploads/files/file-urls.js';
import type { Answer } from '../../support/app/api-client.js';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { multipart, MULTIPART_TYPE } from '../../support/app/multipart.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import { photo } from '../../support/images/images.js';

let harness: Harness;
let account: TestAccount;
let ids: readonly string[];
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
  const sources = [0, 1].map(async () => harness.newSource(account, await photo(48, 32, 'png')));
  ids = (await Promise.all(sources)).map(({ id }) => id);
});
afterAll(() => harness.close());

let signedAt = 0;
/** A URL of a source that no other call returns: each is signed at a time of its own. */
const fresh = (source: number): string =>
  harness.app.get(FileUrls).sign(ids[source]!, 'png', Date.now() + (signedAt += 1_000));

const create = (key: string, json: Record<string, unknown>) =>
  harness.createJob(account.key, json, { 'Idempotency-Key': key });
const codeOf = ({ body }: Answer) => (body as { code?: string }).code;

async function expectReplay(again: Promise<Answer>, first: Answer): Promise<void> {
  const answer = await again;
  expect([answer.status, answer.text]).toEqual([201, first.text]);
  expect(answer.headers['idempotent-replayed']).toBe('true');
}

async function expectMismatch(request: Promise<Answer>): Promise<void> {
  const answer = await request;
  expect([answer.status, codeOf(answer)]).toEqual([422, 'idempotency_mismatch']);
}

const hashes = (key: string) =>
  harness.rows<{ hash: string }>(
    'SELECT request_hash AS hash FROM idempotency_keys WHERE account_id = $1 AND key = $2',
    [account.id, key],
  );

describe('an Idempotency-Key with a fresh URL of the same source', () => {
  it.each([
    ['source', (url: string) => ({ sourceUrl: url, operation: 'upscale' })],
    [
      'background',
      (url: string) => ({
        sourceUrl: fresh(0),
        operation: 'bg_remove',
        output: { format: 'png', background: { sourceUrl: url, fit: 'contain' } },
      }),
    ],
    ['mask', (url: string) => ({ sourceUrl: fresh(0), operation: 'bg_remove', mask: { sourceUrl: url } })],
    [
      'mask of an operation',
      (url: string) => ({
        sourceUrl: fresh(0),
        operations: [{ operation: 'auto_enhance' }, { operation: 'bg_remove', mask: { sourceUrl: url } }],
      }),
    ],
  ])('returns the first job again; another %s is a mismatch', async (what, request) => {
    const key = what.replaceAll(' ', '-');
    const first = await create(key, request(fresh(0)));
    expect(first.status, first.text).toBe(201);
    const before = await harness.footprint();
    await expectReplay(create(key, request(fresh(0))), first);
    await expectMismatch(create(key, request(fresh(1))));
    await expectMismatch(create(key, { ...request(fresh(0)), level: 'high' }));
    expect(await harness.footprint()).toEqual(before);
  });

  it('returns the first batch again, with its sources in the same order', async () => {
    const headers = { 'Idempotency-Key': 'batch' };
    const post = (...sourceUrls: unknown[]) =>
      harness.createBatch(account.key, { sourceUrls, operation: 'upscale' }, headers);
    const first = await post(fresh(0), fresh(1));
    expect(first.status, first.text).toBe(201);
    await expectReplay(post(fresh(0), fresh(1)), first);
    await expectMismatch(post(fresh(1), fresh(0)));
    await expectMismatch(post(fresh(0), fresh(0)));
    await expectMismatch(post(fresh(0)));
  });

  it('returns the first job of a form again', async () => {
    const bytes = await photo(48, 32, 'jpeg');
    const post = (url: string) =>
      harness.call('POST', '/api/ai/enhance', {
        key: account.key,
        headers: { 'content-type': MULTIPART_TYPE, 'Idempotency-Key': 'form' },
        body: multipart([
          { name: 'operation', bytes: 'bg_remove' },
          { name: 'cache', bytes: 'false' },
          { name: 'mask.sourceUrl', bytes: url },
          { name: 'file', filename: 'photo.jpg', type: 'image/jpeg', bytes },
        ]),
      });
    const first = await post(fresh(0));
    expect(first.status, first.text).toBe(201);
    await expectReplay(post(fresh(0)), first);
    await expectMismatch(post(fresh(1)));
  });

  it('compares other texts as they are', async () => {
    const request = { sourceUrl: fresh(0), operation: 'upscale', metadata: { photo: fresh(0) } };
    const first = await create('texts', request);
    expect(first.status, first.text).toBe(201);
    await expectReplay(create('texts', { ...request, sourceUrl: fresh(0) }), first);
    await expectMismatch(create('texts', { ...request, metadata: { photo: fresh(0) } }));
    for (const sourceUrl of [
      ids[0]!,
      `upload ${ids[0]}`,
      `${ids[0]}.png`,
      `/files/${ids[0]}.png`,
      `https://foreign.example/base/files/${ids[0]}.png`,
    ])
      await expectMismatch(create('texts', { ...request, sourceUrl }));
  });
});

describe('an Idempotency-Key during an update of the service', () => {
  const request = () => ({ sourceUrl: fresh(0), operation: 'upscale' });

  it('is stored so that the previous version, which compares the body as sent, finds it', async () => {
    const json = request();
    expect((await create('new', json)).status).toBe(201);
    expect(await hashes('new')).toEqual([{ hash: fingerprintOf('POST /api/ai/enhance', json) }]);
  });

  it('matches the same body if the previous version stored it', async () => {
    const json = request();
    const first = await create('old', json);
    // The previous version stores one row.
    const more = `DELETE FROM idempotency_keys WHERE account_id = $1 AND key LIKE 'old_%' RETURNING key`;
    expect(await harness.rows(more, [account.id])).toHaveLength(1);
    await expectReplay(create('old', json), first);
    await expectMismatch(create('old', request()));
  });

  it('ignores what an earlier use of the key has left', async () => {
    const json = request();
    expect((await create('reused', json)).status).toBe(201);
    // After 24 hours, the previous version has stored the key again, for another source.
    const age = `UPDATE idempotency_keys SET created_at = now() - interval '25 hours'
                  WHERE account_id = $1 AND key LIKE 'reused%'`;
    const renew = `UPDATE idempotency_keys SET created_at = now(), request_hash = $2
                    WHERE account_id = $1 AND key = 'reused'`;
    await harness.rows(age, [account.id]);
    const other = fingerprintOf('POST /api/ai/enhance', { ...json, sourceUrl: fresh(1) });
    await harness.rows(renew, [account.id, other]);
    await expectMismatch(create('reused', request()));
  });
});
