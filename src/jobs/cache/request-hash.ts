import { createHash } from 'node:crypto';
import { fingerprintOf } from '../../idempotency/idempotency.service.js';
import { VERSION } from '../../kernel/version.js';

/**
 * Identifies the bytes that a job reads, and what it does with them. Jobs of one account with equal hashes have equal
 * results if the same model files made them. A new release may decode or encode differently, so its version is part
 * of the hash.
 * @param sourceSha256 of the bytes of the source, lowercase hex
 * @param spec what the job does, with all defaults resolved
 * @returns 32 bytes
 */
export function requestHash(sourceSha256: string, spec: object): Buffer {
  return createHash('sha256')
    .update(fingerprintOf('result', { sourceSha256, version: VERSION, spec }))
    .digest();
}
