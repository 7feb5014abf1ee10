/** How long an endpoint that answers may take before it is slow. */
const SLOW_AFTER_MS = 1_000;
/** The same, of one that may never answer: it has one attempt anyway, so all that this frees is the slot. */
const UNTRUSTED_SLOW_AFTER_MS = 100;
/** Attempts at one endpoint that takes its time, but answers. */
const SLOW_ENDPOINT_CONCURRENCY = 4;
/** Attempts that wait for a slow receiver, in multiples of those that do not. */
const WAITING_FACTOR = 32;
/** Of those, what endpoints may take that did not answer the last time. */
const SUSPECT_SHARE = 0.75;

export interface SlotLimits {
  /** Attempts at once, those apart whose receiver is slow. */
  readonly concurrency: number;
  /** Of these, attempts at one endpoint that answers. */
  readonly endpointConcurrency: number;
}

/** The room of one attempt. */
export interface Slot {
  /** After which the receiver is slow. */
  readonly slowAfterMs: number;
  /** Its receiver takes its time: from now on it is counted among those that wait. */
  turnSlow(): void;
  /** @param answered whether there was an answer, of whatever status; undefined when the attempt was not made */
  end(answered: boolean | undefined): void;
}

interface EndpointLoad {
  inFlight: number;
  slow: number;
}

/**
 * Who may be tried now. A slot is for receivers that answer: an attempt that waits for longer than a moment
 * moves to a waiting room, which is large and bounded, and an endpoint that has not answered yet, or did not
 * the last time, gets one attempt at a time. So endpoints that hang cannot take the slots from those that
 * answer, however many they are.
 */
export class EndpointSlots {
  private readonly loads = new Map<string, EndpointLoad>();
  /** Whether an endpoint answered the last time. Not known: nothing has ended yet. */
  private readonly answered = new Map<string, boolean>();
  private fast = 0;
  private waiting = 0;
  /** Of those in flight, at endpoints that are not known to answer. */
  private untrusted = 0;

  constructor(private readonly limits: SlotLimits) {}

  get inFlight(): number {
    return this.fast + this.waiting;
  }

  /**
   * How many attempts may begin at each of these endpoints; those that may have none are left out. Free slots
   * are dealt one by one, so that each endpoint gets its part before any gets more.
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
        if (answered !== undefined) this.answered.set(endpointId, answered);
      },
    };
  }

  private get waitingLimit(): number {
    return this.limits.concurrency * WAITING_FACTOR;
  }

  private mayBegin(endpointId: string, dealt: number, untrusted: number): boolean {
    const load = this.loads.get(endpointId);
    const answered = this.answered.get(endpointId);
    if ((load?.inFlight ?? 0) + dealt >= this.roomOf(answered, load)) return false;
    if (answered === true) return true;
    // Whoever may hang needs a place in the waiting room, and some are kept for those nobody knows yet.
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
