import { Injectable } from '@nestjs/common';
import { AuthFailureLimiter } from '../auth-failure.limiter.js';
import { type KeyAuthentication, PrincipalRepository } from '../principal.repository.js';
import { RecentKeys } from './recent-keys.js';

/**
 * Short, because the owner of an expired key may extend it. A new key is random, so it was not refused before.
 */
const REFUSED_MS = 5_000;
const ADMITTED_MS = 600_000;
const MAX_REMEMBERED = 10_000;
/** Interval of batched lookups for slowed addresses. */
const BEAT_MS = 250;

/**
 * Finds the account of a well-formed key, and keeps guesses away from the database. Recently refused keys are
 * refused from memory. Keys from an address with too many failures are looked up in batches a few times per
 * second. Recently valid keys are never delayed. Only the database admits a key.
 */
@Injectable()
export class KeyLookup {
  private readonly refused = new RecentKeys(REFUSED_MS, MAX_REMEMBERED);
  private readonly accepted = new RecentKeys(ADMITTED_MS, MAX_REMEMBERED);
  private beat: Promise<void> | undefined;

  constructor(
    private readonly principals: PrincipalRepository,
    private readonly failures: AuthFailureLimiter,
  ) {}

  /**
   * @param hash SHA-256 of the key
   * @param address of the client
   * @returns undefined for a key that is unknown, revoked or expired
   */
  async authenticate(hash: Buffer, address: string): Promise<KeyAuthentication | undefined> {
    if (this.refused.has(hash)) return undefined;
    if (this.failures.isSlowed(address) && !this.accepted.has(hash)) await this.nextBeat();
    const authentication = await this.principals.authenticate(hash);
    (authentication === undefined ? this.refused : this.accepted).add(hash);
    return authentication;
  }

  private nextBeat(): Promise<void> {
    this.beat ??= new Promise((resolve) => {
      setTimeout(() => {
        this.beat = undefined;
        resolve();
      }, BEAT_MS);
    });
    return this.beat;
  }
}
