import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import { multipart, MULTIPART_TYPE } from '../../support/app/multipart.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
});
afterAll(() => harness.close());

describe('POST /api/ai/enhance with a form that has the wrong parts', () => {
  it.each([
    ['no file', [{ name: 'operation', bytes: 'upscale' }], /no part named "file"/],
    [
      'a file in another part',
      [{ name: 'image', filename: 'photo.jpg', bytes: 'x'.repeat(20_000) }],
      /one part named "file" .*: the field "image" is longer than 16384 bytes/,
    ],
    ['two files', [file(), file()], /more than one part named "file"/],
    ['a field twice', [textPart('level'), textPart('level'), file()], /more than one part named "level"/],
    [
      'too many fields',
      Array.from({ length: 60 }, (_, index) => textPart(`f${index}`)),
      /more than 41 parts/,
    ],
  ])('returns 400 invalid_multipart for %s', async (_, parts, message) => {
    const before = await harness.footprint();
    const answer = await harness.call('POST', '/api/ai/enhance', {
      key: account.key,
      headers: { 'content-type': MULTIPART_TYPE },
      body: multipart(parts),
    });
    expect([answer.status, answer.body]).toMatchObject([
      400,
      { code: 'invalid_multipart', detail: expect.stringMatching(message) as unknown },
    ]);
    expect(await harness.footprint()).toEqual(before);
  });
});

function file() {
  return { name: 'file', filename: 'photo.jpg', bytes: 'x' };
}

function textPart(name: string) {
  return { name, bytes: 'high' };
}
