import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import type { SourceAnswer } from '../../support/app/answers.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import { photo } from '../../support/images/images.js';

let harness: Harness;
let account: TestAccount;
let bytes: Buffer;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
  bytes = await photo(32, 32, 'jpeg');
});
afterAll(() => harness.close());

describe('POST /api/ai/upload with an Idempotency-Key', () => {
  it('returns the first response again, and stores nothing twice', async () => {
    const first = await harness.upload(account.key, bytes, { 'Idempotency-Key': 'twice' });
    expect(first.headers).not.toHaveProperty('idempotent-replayed');
    const before = await harness.footprint();
    const second = await harness.upload(account.key, bytes, { 'Idempotency-Key': 'twice' });
    expect([second.status, second.text]).toEqual([201, first.text]);
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(await harness.footprint()).toEqual(before);
  });

  it('creates one source for ten concurrent uploads', async () => {
    const before = await harness.footprint();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => harness.upload(account.key, bytes, { 'Idempotency-Key': 'at-once' })),
    );
    const after = await harness.footprint();
    expect(after.sources - before.sources).toBe(1);
    expect(after.objects - before.objects).toBe(1);
    expect(after.temporaryFiles).toBe(0);
    expect(after.storageBytes - before.storageBytes).toBe(bytes.length);
    for (const { status } of answers) expect([201, 409]).toContain(status);
    const made = answers.filter(({ status }) => status === 201);
    expect(new Set(made.map(({ body }) => (body as SourceAnswer).id)).size).toBe(1);
  });

  it('returns the first response again even if the first upload filled the storage', async () => {
    const full = await harness.createAccount({ limits: { storageBytes: bytes.length } });
    const first = await harness.upload(full.key, bytes, { 'Idempotency-Key': 'filling' });
    expect(first.status).toBe(201);
    const second = await harness.upload(full.key, bytes, { 'Idempotency-Key': 'filling' });
    expect([second.status, second.text]).toEqual([201, first.text]);
    expect(await harness.eventTypes(full)).not.toContain('quota.exceeded');
  });

  it('keeps the keys of two accounts separate', async () => {
    const other = await harness.createAccount();
    const mine = await harness.upload(account.key, bytes, { 'Idempotency-Key': 'shared' });
    const theirs = await harness.upload(other.key, bytes, { 'Idempotency-Key': 'shared' });
    expect(theirs.status).toBe(201);
    expect((theirs.body as SourceAnswer).id).not.toBe((mine.body as SourceAnswer).id);
  });
});
