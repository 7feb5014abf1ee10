import { createHash, Hash } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { ContentDigest } from './content-digest.js';

const BODY = Buffer.from('{"hello": "world"}');
const digestOf = (algorithm: string, name: string): string =>
  `${name}=:${createHash(algorithm).update(BODY).digest('base64')}:`;

function verify(header: string | undefined, body: Buffer = BODY): void {
  const digest = ContentDigest.of({ headers: header === undefined ? {} : { 'content-digest': header } });
  digest.update(body.subarray(0, 5));
  digest.update(body.subarray(5));
  digest.verify();
}

describe('ContentDigest', () => {
  it.each([
    undefined,
    // The example of RFC 9530, appendix D.
    'sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:',
    digestOf('sha512', 'sha-512'),
    `${digestOf('sha256', 'sha-256')}, ${digestOf('sha512', 'sha-512')}`,
    'md5=:AAAA:',
    `unixsum=:AAAA:,${digestOf('sha256', 'sha-256')}`,
  ])('accepts %s', (header) => {
    expect(() => verify(header)).not.toThrow();
  });

  it.each([
    'sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:',
    'sha-256=:AAAA:',
    `${digestOf('sha256', 'sha-256')},sha-512=:AAAA:`,
  ])('refuses a digest that does not match: %s', (header) => {
    expect(() => verify(header)).toThrow(expect.objectContaining({ code: 'content_digest_mismatch' }));
  });

  it('compares the last digest of an algorithm that is named several times', () => {
    const [wrong, right] = ['sha-256=:AAAA:', digestOf('sha256', 'sha-256')];
    expect(() => verify(`${wrong},${right}`)).not.toThrow();
    expect(() => verify(`${right},${wrong}`)).toThrow(
      expect.objectContaining({ code: 'content_digest_mismatch' }),
    );
  });

  it('hashes a body once for each algorithm, however long the header is', () => {
    const header = Array.from({ length: 700 }, () => 'sha-256=::,sha-512=::').join(',');
    const update = vi.spyOn(Hash.prototype, 'update');
    ContentDigest.of({ headers: { 'content-digest': header } }).update(BODY);
    expect(update).toHaveBeenCalledTimes(2);
    update.mockRestore();
  });

  it('refuses a truncated body', () => {
    const header = digestOf('sha256', 'sha-256');
    expect(() => verify(header, BODY.subarray(1))).toThrow(
      expect.objectContaining({ code: 'content_digest_mismatch' }),
    );
  });

  it.each(['', 'sha-256', 'sha-256=abc', 'sha-256=:a b:', `sha-256=${'0'.repeat(64)}`, ',,'])(
    'refuses a malformed header: "%s"',
    (header) => {
      expect(() => verify(header)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
    },
  );
});
