/** How long an attempt at a trusted endpoint may take before it is slow. */
const SLOW_AFTER_MS = 1_000;
/** The same for an untrusted endpoint: it has a single attempt anyway, so this only frees the slot. */
const UNTRUSTED_SLOW_AFTER_MS = 100;
/** Concurrent attempts at one slow endpoint that responds. */
const SLOW_ENDPOINT_CONCURRENCY = 4;
/** Limit of slow attempts, in multiples of fast ones. */
const WAITING_FACTOR = 32;
/** Share of these for endpoints that did not respond last time. */
const SUSPECT_SHARE = 0.75;
/** Endpoints of which it is known whether they responded last time: about 1 MB. Others are unknown again. */
export const MAX_KNOWN_ENDPOINTS = 10_000;

export interface SlotLimits {
  /** Concurrent attempts, without slow ones. */
  readonly concurrency: number;
  /** Of these, attempts at one endpoint that responds. */
  readonly endpointConcurrency: number;
}

/** The room of one attempt. */
export interface Slot {
  /** Time after which the receiver counts as slow. */
  readonly slowAfterMs: number;
  /** Marks the receiver as slow; from now on the attempt counts in the slow pool. */
  turnSlow(): void;
  /** @param answered whether there was a response of any status; undefined when no attempt was made */
  end(answered: boolean | undefined): void;
}

interface EndpointLoad {
  inFlight: number;
  slow: number;
}

/**
 * Assigns slots to endpoints. Slow attempts move to a larger, bounded pool. An endpoint that has not
 * responded yet, or did not respond last time, gets one attempt at a time. So any number of hanging endpoints
 * cannot take the slots from those that respond.
 */
export class EndpointSlots {
  private readonly loads = new Map<string, EndpointLoad>();
  /** Whether an endpoint responded last time, most recent attempt last; missing while unknown. */
  private readonly answered = new Map<string, boolean>();
  private fast = 0;
  private waiting = 0;
  /** Attempts in flight at untrusted endpoints. */
  private untrusted = 0;

  constructor(private readonly limits: SlotLimits) {}

  get inFlight(): number {
    return this.fast + this.waiting;
  }

  /**
   * How many attempts may start at each of these endpoints; endpoints with none are omitted. Free slots are
   * assigned one by one, round robin.
   */
  rooms(ready: Iterable<string>): Map<string, number> {
    const rooms = new Map<string, number>();
    let free = this.limits.concurrency - this.fast;
    let untrusted = this.untrusted;
    let open = [...ready];
    while (free > 0 && open.length > 0) {
      const stillOpen: string[] = [];
      for (const endpointId of open) {
        if (free === 0) break;
        const dealt = rooms.get(endpointId) ?? 0;
        if (!this.mayBegin(endpointId, dealt, untrusted)) continue;
        rooms.set(endpointId, dealt + 1);
        free -= 1;
        if (this.answered.get(endpointId) !== true) untrusted += 1;
        stillOpen.push(endpointId);
      }
      open = stillOpen;
    }
    return rooms;
  }

  begin(endpointId: string): Slot {
    const load = this.loads.get(endpointId) ?? { inFlight: 0, slow: 0 };
    this.loads.set(endpointId, load);
    load.inFlight += 1;
    this.fast += 1;
    const isUntrusted = this.answered.get(endpointId) !== true;
    if (isUntrusted) this.untrusted += 1;
    let isSlow = false;
    return {
      slowAfterMs: isUntrusted ? UNTRUSTED_SLOW_AFTER_MS : SLOW_AFTER_MS,
      turnSlow: () => {
        if (this.waiting >= this.waitingLimit) return;
        isSlow = true;
        load.slow += 1;
        this.fast -= 1;
        this.waiting += 1;
      },
      end: (answered) => {
        load.inFlight -= 1;
        if (isSlow) load.slow -= 1;
        if (isSlow) this.waiting -= 1;
        else this.fast -= 1;
        if (isUntrusted) this.untrusted -= 1;
        if (load.inFlight === 0) this.loads.delete(endpointId);
        if (answered !== undefined) this.remember(endpointId, answered);
      },
    };
  }

  private remember(endpointId: string, answered: boolean): void {
    this.answered.delete(endpointId);
    this.answered.set(endpointId, answered);
    if (this.answered.size <= MAX_KNOWN_ENDPOINTS) return;
    const [oldest] = this.answered.keys();
    this.answered.delete(oldest!);
  }

  private get waitingLimit(): number {
    return this.limits.concurrency * WAITING_FACTOR;
  }

  private mayBegin(endpointId: string, dealt: number, untrusted: number): boolean {
    const load = this.loads.get(endpointId);
    const answered = this.answered.get(endpointId);
    if ((load?.inFlight ?? 0) + dealt >= this.roomOf(answered, load)) return false;
    if (answered === true) return true;
    // An untrusted endpoint needs room in the slow pool; part of it is reserved for unknown endpoints.
    const places = answered === false ? this.waitingLimit * SUSPECT_SHARE : this.waitingLimit;
    return untrusted < places;
  }

  private roomOf(answered: boolean | undefined, load: EndpointLoad | undefined): number {
    if (answered !== true) return 1;
    const { endpointConcurrency } = this.limits;
    return (load?.slow ?? 0) === 0
      ? endpointConcurrency
      : Math.min(endpointConcurrency, SLOW_ENDPOINT_CONCURRENCY);
  }
}
