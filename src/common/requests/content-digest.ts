import { createHash, type Hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { AppError } from '../../kernel/app-error.js';

/** The algorithms that RFC 9530 registers as active, as Node.js names them. */
const ALGORITHMS: Readonly<Record<string, string>> = { 'sha-256': 'sha256', 'sha-512': 'sha512' };
/** A dictionary of byte sequences (RFC 8941). */
const MEMBER = /^\s*([a-z0-9*][a-z0-9_.*-]*)=:([A-Za-z0-9+/]*={0,2}):\s*$/;

const LIST_OF_MEMBERS = String.raw`^[a-z0-9*][a-z0-9_.*-]*=:[A-Za-z0-9+/]*={0,2}:(, ?[a-z0-9*][a-z0-9_.*-]*=:[A-Za-z0-9+/]*={0,2}:)*$`;

/** The header in the OpenAPI document. */
export const CONTENT_DIGEST_HEADER = {
  name: 'Content-Digest',
  required: false,
  description:
    'Digest of the whole body (RFC 9530), for example `sha-256=:<base64>:`. A body that does not match is rejected.',
  schema: { type: 'string', pattern: LIST_OF_MEMBERS },
};

interface ExpectedDigest {
  readonly algorithm: string;
  readonly expected: Buffer;
  readonly hash: Hash;
}

/**
 * Compares a body with its `Content-Digest` header (RFC 9530), which covers the content as sent, including all parts
 * and boundaries of a multipart body. Digests with unknown algorithms are ignored, as the RFC requires.
 */
export class ContentDigest {
  private constructor(private readonly digests: readonly ExpectedDigest[]) {}

  /** @throws AppError `invalid_request` for a malformed header */
  static of({ headers }: Pick<IncomingMessage, 'headers'>): ContentDigest {
    const header = headers['content-digest'];
    if (header === undefined) return new ContentDigest([]);
    const text = Array.isArray(header) ? header.join(',') : header;
    // One digest for each algorithm, however many the header has: the last one counts (RFC 8941, section 4.2.2).
    const digests = new Map(text.split(',').flatMap(readMember));
    return new ContentDigest(
      [...digests].map(([algorithm, expected]) => {
        return { algorithm, expected, hash: createHash(ALGORITHMS[algorithm]!) };
      }),
    );
  }

  update(chunk: Uint8Array): void {
    for (const { hash } of this.digests) hash.update(chunk);
  }

  /** Call this once, after the whole body. @throws AppError `content_digest_mismatch` */
  verify(): void {
    for (const { algorithm, expected, hash } of this.digests) {
      const actual = hash.digest();
      if (actual.equals(expected)) continue;
      throw new AppError('content_digest_mismatch', {
        detail: `The ${algorithm} digest of the received body is :${actual.toString('base64')}:, which doesn't match the Content-Digest header. Nothing was stored. Send the request again.`,
      });
    }
  }
}

/** The algorithm and its digest; nothing for an unknown algorithm. */
function readMember(member: string): [string, Buffer][] {
  const [, algorithm, value] = MEMBER.exec(member) ?? [];
  if (algorithm === undefined || value === undefined) throw malformed();
  return Object.hasOwn(ALGORITHMS, algorithm) ? [[algorithm, Buffer.from(value, 'base64')]] : [];
}

function malformed(): AppError {
  const message = 'The Content-Digest header must look like sha-256=:<base64>: (RFC 9530).';
  return new AppError('invalid_request', {
    detail: message,
    errors: [{ field: 'Content-Digest', code: 'format', message }],
  });
}
