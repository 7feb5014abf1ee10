import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import { photo } from '../../support/images/images.js';
import { BOUNDARY, multipart, MULTIPART_TYPE, type Part } from '../../support/app/multipart.js';

let harness: Harness;
let account: TestAccount;
let bytes: Buffer;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
  bytes = await photo(64, 64, 'jpeg');
});
afterAll(() => harness.close());

async function refused(body: Buffer | string, type: string | undefined): Promise<string> {
  const before = await harness.footprint();
  const answer = await harness.call('POST', '/api/ai/upload', {
    key: account.key,
    headers: type === undefined ? {} : { 'content-type': type },
    body,
  });
  expect(answer.status, answer.text).toBe(400);
  expect(answer.body).toMatchObject({ code: 'invalid_multipart' });
  expect(await harness.footprint()).toEqual(before);
  return (answer.body as { detail: string }).detail;
}

const file = (name = 'file'): Part => ({ name, filename: 'photo.jpg', type: 'image/jpeg', bytes });

describe('POST /api/ai/upload → 400', () => {
  it.each([
    ['a bare image', 'image/jpeg', 'bytes'],
    ['a form', 'application/x-www-form-urlencoded', 'file=abc'],
    ['another multipart type', 'multipart/mixed; boundary=x', '--x--\r\n'],
    ['no boundary', 'multipart/form-data', 'x'],
    ['an empty boundary', 'multipart/form-data; boundary=', 'x'],
    ['nonsense', 'nonsense', 'x'],
  ])('for %s', async (_, type, body) => {
    expect(await refused(body, type)).toMatch(/exactly one part/);
  });

  it('for no body and no content type', async () => {
    const before = await harness.footprint();
    const answer = await harness.call('POST', '/api/ai/upload', { key: account.key });
    expect([answer.status, (answer.body as { code: string }).code]).toEqual([400, 'invalid_multipart']);
    expect(await harness.footprint()).toEqual(before);
  });

  it('for a form without parts', async () => {
    expect(await refused(multipart([]), MULTIPART_TYPE)).toMatch(/no part/);
  });

  it('for many parts without a name, of which the form may have a few', async () => {
    const nameless = (count: number) => Buffer.from(`--${BOUNDARY}\r\n\r\n\r\n`.repeat(count));
    const form = (count: number) => Buffer.concat([nameless(count), multipart([file()])]);
    expect(await refused(form(17), MULTIPART_TYPE)).toMatch(/there are too many parts/);
    const headers = { 'content-type': MULTIPART_TYPE };
    const accepted = { key: account.key, headers, body: form(16) };
    expect((await harness.call('POST', '/api/ai/upload', accepted)).status).toBe(201);
  });

  it('for an empty body', async () => {
    expect(await refused('', MULTIPART_TYPE)).toMatch(/exactly one part/);
  });

  it.each([
    ['a part of another name', () => [{ ...file('image'), bytes: Buffer.alloc(100_000) }]],
    ['a second part', () => [file(), { ...file(), bytes: Buffer.alloc(100_000) }]],
    ['a file without a file name', () => [{ name: 'file', bytes: Buffer.alloc(100_000) }]],
  ] satisfies [string, () => Part[]][])('for %s that ends too early', async (_, parts) => {
    const whole = multipart(parts());
    expect(await refused(whole.subarray(0, whole.length - 90_000), MULTIPART_TYPE)).toMatch(
      /exactly one part/,
    );
  });

  it.each(['image', 'File', 'file[]', 'files', ''])('for a part named "%s"', async (name) => {
    expect(await refused(multipart([file(name)]), MULTIPART_TYPE)).toMatch(/exactly one part/);
  });

  it('for a part without a name', async () => {
    expect(
      await refused(
        `--${BOUNDARY}\r\nContent-Disposition: form-data\r\n\r\nx\r\n--${BOUNDARY}--\r\n`,
        MULTIPART_TYPE,
      ),
    ).toMatch(/exactly one part/);
  });

  it('for a part without headers', async () => {
    expect(await refused(`--${BOUNDARY}\r\n\r\nx\r\n--${BOUNDARY}--\r\n`, MULTIPART_TYPE)).toMatch(
      /exactly one part/,
    );
  });

  it.each([
    ['two files', () => [file(), file()]],
    ['a field after the file', () => [file(), { name: 'level', bytes: 'high' }]],
    ['a field before the file', () => [{ name: 'level', bytes: 'high' }, file()]],
    ['an empty second part', () => [file(), { name: 'file', bytes: '' }]],
    ['twenty parts', () => Array.from({ length: 20 }, () => file())],
  ] satisfies [string, () => Part[]][])('for a form with %s', async (_, parts) => {
    expect(await refused(multipart(parts()), MULTIPART_TYPE)).toMatch(/exactly one part/);
  });

  it('for a body that ends before its final boundary', async () => {
    const whole = multipart([file()]);
    for (const share of [0.02, 0.5, 0.99]) {
      expect(await refused(whole.subarray(0, Math.floor(whole.length * share)), MULTIPART_TYPE)).toMatch(
        /exactly one part/,
      );
    }
    expect(await refused(multipart([file()], { ended: false }), MULTIPART_TYPE)).toMatch(/exactly one part/);
  });

  it('for a boundary other than the declared one', async () => {
    expect(await refused(multipart([file()]), 'multipart/form-data; boundary=other')).toMatch(
      /exactly one part/,
    );
  });

  it.each(['a b', 'x'.repeat(256)])('for the Idempotency-Key "%s"', async (key) => {
    const before = await harness.footprint();
    const answer = await harness.upload(account.key, bytes, { 'Idempotency-Key': key });
    expect([answer.status, (answer.body as { code: string }).code]).toEqual([400, 'invalid_request']);
    expect(await harness.footprint()).toEqual(before);
  });
});
