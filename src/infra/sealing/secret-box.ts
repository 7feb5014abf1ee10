import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + NONCE_BYTES;

/** Sealed bytes could not be opened. The message explains why and how to fix it; it never contains a secret. */
export class SealError extends Error {
  override readonly name = 'SealError';
}

/**
 * Encrypts secrets at rest, so that the database alone does not reveal them: AES-256-GCM (NIST SP 800-38D) with a
 * random nonce. Sealed bytes: version (1), nonce (12), ciphertext, tag (16).
 */
export class SecretBox {
  private readonly derived = new Map<string, Buffer>();
  private readonly secrets: () => readonly string[];

  /**
   * @param secrets texts of at least 32 characters, newest first, from which the keys are derived (HKDF-SHA256). The
   * first one seals; all of them open. A function is called each time, so that the list may change.
   */
  constructor(secrets: string | readonly string[] | (() => readonly string[])) {
    const fixed = typeof secrets === 'function' ? undefined : [secrets].flat();
    this.secrets = typeof secrets === 'function' ? secrets : () => fixed!;
    for (const secret of this.secrets()) this.keyOf(secret);
  }

  /**
   * @param context identifies where the secret is stored, for example the id of its row: sealed bytes that were moved
   *   elsewhere cannot be opened there
   */
  seal(plain: string, context: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.keyOf(this.secrets()[0]!), nonce, {
      authTagLength: TAG_BYTES,
    });
    cipher.setAAD(associatedData(context));
    const sealed = [cipher.update(plain, 'utf8'), cipher.final()];
    return Buffer.concat([Buffer.of(VERSION), nonce, ...sealed, cipher.getAuthTag()]);
  }

  /** @throws SealError when the bytes are not sealed, were altered or moved, or no key matches */
  open(sealed: Uint8Array, context: string): string {
    return this.openWithIndex(sealed, context).plain;
  }

  /**
   * The index of the key that sealed these bytes: 0 is the newest key, which seals new secrets.
   * @throws SealError like `open`
   */
  keyIndex(sealed: Uint8Array, context: string): number {
    return this.openWithIndex(sealed, context).index;
  }

  private openWithIndex(sealed: Uint8Array, context: string): { plain: string; index: number } {
    const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
    if (bytes[0] !== VERSION || bytes.length < HEADER_BYTES + TAG_BYTES) {
      throw new SealError(
        `These bytes were not sealed by this version of the service (format ${bytes[0] ?? 'missing'}, expected ${VERSION}).`,
      );
    }
    let cause: unknown;
    for (const [index, secret] of this.secrets().entries()) {
      try {
        return { plain: openBytes(this.keyOf(secret), bytes, context), index };
      } catch (error) {
        cause = error;
      }
    }
    throw new SealError(
      `A sealed secret (${context}) does not open: it was sealed with another key, moved or altered. Restore the SEALING_KEY, or the secrets.json of DATA_DIR, that it was sealed with.`,
      { cause },
    );
  }

  private keyOf(secret: string): Buffer {
    let key = this.derived.get(secret);
    if (key === undefined) {
      if (secret.length < 32) throw new Error('The sealing key must have at least 32 characters.');
      key = Buffer.from(hkdfSync('sha256', secret, '', 'secret-box v1', 32));
      this.derived.set(secret, key);
    }
    return key;
  }
}

/** @throws the cipher's error when the tag does not match */
function openBytes(key: Buffer, bytes: Buffer, context: string): string {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(1, HEADER_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(associatedData(context));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  const plain = [decipher.update(bytes.subarray(HEADER_BYTES, -TAG_BYTES)), decipher.final()];
  return Buffer.concat(plain).toString('utf8');
}

/** The version is also authenticated, so that it cannot be altered to select another format. */
function associatedData(context: string): Buffer {
  return Buffer.concat([Buffer.of(VERSION), Buffer.from(context, 'utf8')]);
}
