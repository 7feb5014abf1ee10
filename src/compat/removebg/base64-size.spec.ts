import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { base64Bytes, escapedBase64Bytes } from './base64-size.js';

describe('the largest bodies with Base64', () => {
  const MAX = 20 * 2 ** 20;
  const SAMPLE_BYTES = 1_200_000;
  const base64 = randomBytes(SAMPLE_BYTES).toString('base64');
  /** Size of a body with the largest file, whose bytes are as random as those of a compressed image. */
  const scaled = (text: string): number => (text.length / SAMPLE_BYTES) * MAX;

  it('fit JSON, also with escaped slashes', () => {
    expect(scaled(base64.replaceAll('/', String.raw`\/`))).toBeLessThan(base64Bytes(MAX));
  });

  it.each([
    ['in one line', base64],
    ['in lines of 76 characters', base64.replace(/.{76}/g, '$&\n')],
  ])('fit a URL-encoded form %s', (_, text) => {
    expect(scaled(encodeURIComponent(text))).toBeLessThan(escapedBase64Bytes(MAX));
  });
});
