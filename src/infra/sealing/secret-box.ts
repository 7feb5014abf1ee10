import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + NONCE_BYTES;

/** Sealed bytes could not be opened. The message says why and what to do; it never holds a secret. */
export class SealError extends Error {
  override readonly name = 'SealError';
}

/**
 * Keeps secrets at rest unreadable for whoever has the database but not the key: AES-256-GCM (NIST SP
 * 800-38D) under a random nonce. Sealed bytes: version (1), nonce (12), ciphertext, tag (16).
 */
export class SecretBox {
  private readonly key: Buffer;

  /** @param secret any text of at least 32 characters; the key is derived from it (HKDF-SHA256) */
  constructor(secret: string) {
    if (secret.length < 32) throw new Error('The sealing key must have at least 32 characters.');
    this.key = Buffer.from(hkdfSync('sha256', secret, '', 'secret-box v1', 32));
  }

  /**
   * @param context where the secret belongs, for example the id of its row: sealed bytes that were moved to
   *   another place do not open there
   */
  seal(plain: string, context: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(associatedData(context));
    const sealed = [cipher.update(plain, 'utf8'), cipher.final()];
    return Buffer.concat([Buffer.of(VERSION), nonce, ...sealed, cipher.getAuthTag()]);
  }

  /** @throws SealError when the bytes are not sealed ones, were altered or moved, or the key is another one */
  open(sealed: Uint8Array, context: string): string {
    const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
    if (bytes[0] !== VERSION || bytes.length < HEADER_BYTES + TAG_BYTES) {
      throw new SealError(
        `These bytes were not sealed by this version of the service (format ${bytes[0] ?? 'missing'}, expected ${VERSION}).`,
      );
    }
    const decipher = createDecipheriv('aes-256-gcm', this.key, bytes.subarray(1, HEADER_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(associatedData(context));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      const plain = [decipher.update(bytes.subarray(HEADER_BYTES, -TAG_BYTES)), decipher.final()];
      return Buffer.concat(plain).toString('utf8');
    } catch (error) {
      throw new SealError(
        `A sealed secret (${context}) does not open: it was sealed with another key, moved or altered. Restore the SEALING_KEY, or the secrets.json of DATA_DIR, that it was sealed with.`,
        { cause: error },
      );
    }
  }
}

/** The version is authenticated too, so that it cannot be altered to choose another way of opening. */
function associatedData(context: string): Buffer {
  return Buffer.concat([Buffer.of(VERSION), Buffer.from(context, 'utf8')]);
}
