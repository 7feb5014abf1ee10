import { HeldPlaces } from './held-places.js';
import { HeldRequestLimit } from './held-request-limit.js';

/** How often waiting requests look for slow holders. */
const LOOK_MS = 250;

/** What a request does while it waits for places, and while it holds them. */
export interface PlacesRequest {
  /** The error after a wait in vain. */
  readonly refusal: () => Error;
  /** Ends the wait. */
  readonly gone?: AbortSignal;
  /** Called when the sender of the request is slow and others need its places, which are then free. */
  readonly onRevoked?: () => void;
}

interface Waiting {
  readonly accountId: string;
  readonly count: number;
  /** Takes the places if they are free. */
  readonly attempt: () => void;
}

/**
 * Limits like a HeldRequestLimit. Requests for which nothing is free wait for a moment until others have ended. If one
 * waits, requests whose sender makes no progress lose their places.
 */
export class WaitingRequestLimit {
  private readonly held: HeldRequestLimit;
  private readonly holders = new Set<HeldPlaces>();
  private readonly waiting = new Set<Waiting>();
  private timer: NodeJS.Timeout | undefined;

  /** @param waitMs how long a request waits at most */
  constructor(
    total: number,
    perAccount: number,
    private readonly waitMs: number,
  ) {
    this.held = new HeldRequestLimit(total, perAccount);
  }

  /** Whether the account may hold so many more, if others do not hold too many. */
  isWithinShare(accountId: string, count: number): boolean {
    return this.held.isWithinShare(accountId, count);
  }

  /**
   * Takes places as soon as they are free.
   * @throws the error of `refusal`; the reason of `gone`
   */
  async take(
    accountId: string,
    count: number,
    { refusal, gone, onRevoked }: PlacesRequest,
  ): Promise<HeldPlaces> {
    gone?.throwIfAborted();
    return new Promise((resolve, reject) => {
      const attempt = (): void => {
        if (!this.held.isFree(accountId, count)) return;
        leave();
        resolve(this.hold(accountId, count, onRevoked));
      };
      const leave = (): void => {
        clearTimeout(timer);
        gone?.removeEventListener('abort', abandon);
        this.waiting.delete(entry);
        if (this.waiting.size > 0) return;
        clearTimeout(this.timer);
        this.timer = undefined;
      };
      const abandon = (): void => {
        leave();
        reject(gone?.reason as Error);
      };
      const timer = setTimeout(() => {
        leave();
        reject(refusal());
      }, this.waitMs);
      const entry: Waiting = { accountId, count, attempt };
      gone?.addEventListener('abort', abandon);
      this.waiting.add(entry);
      attempt();
      if (this.waiting.has(entry)) this.look(0);
    });
  }

  private hold(accountId: string, count: number, onRevoked: (() => void) | undefined): HeldPlaces {
    const release = this.held.take(accountId, count);
    const free = (places: HeldPlaces): void => {
      if (!this.holders.delete(places)) return;
      release();
      for (const { attempt } of this.waiting) attempt();
    };
    const places = new HeldPlaces(accountId, free, onRevoked);
    this.holders.add(places);
    return places;
  }

  /** Looks for slow holders until nobody waits. */
  private look(delayMs: number): void {
    this.timer ??= setTimeout(() => {
      // After a pause of the process, this runs when the bytes that have arrived meanwhile were read.
      setImmediate(() => this.revokeSlow());
      this.timer = undefined;
      if (this.waiting.size > 0) this.look(LOOK_MS);
    }, delayMs);
  }

  /** Revokes as few places as needed, first those of the accounts that hold the most. */
  private revokeSlow(): void {
    const heldBy = ({ accountId }: HeldPlaces): number => this.held.heldBy(accountId);
    const slow = new Set(
      [...this.holders].filter(({ isSlow }) => isSlow).toSorted((a, b) => heldBy(b) - heldBy(a)),
    );
    for (const waiting of this.waiting) {
      if (slow.size === 0) return;
      // Places of others do not help an account that holds its share.
      const isOwn = !this.held.isWithinShare(waiting.accountId, waiting.count);
      for (const places of slow) {
        if (!this.waiting.has(waiting)) break;
        if (isOwn && places.accountId !== waiting.accountId) continue;
        slow.delete(places);
        places.revoke();
      }
    }
  }
}
