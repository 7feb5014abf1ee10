import type { AttemptEnd } from '../../infra/telemetry/dispatcher/webhook-metrics.js';
import { HostLimits } from './host-limits.js';

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
  /** Of these, attempts at one endpoint that responds, and at all endpoints of one host. */
  readonly endpointConcurrency: number;
  /** Attempts per second at all endpoints of one host. */
  readonly hostRate: number;
}

export interface Rooms {
  /** Attempts for each endpoint; endpoints with none are omitted. */
  readonly rooms: ReadonlyMap<string, number>;
  /** Milliseconds until the rate of a host allows more; Infinity if no endpoint waits for it. */
  readonly rateWaitMs: number;
}

/** The room of one attempt. */
export interface Slot {
  /** Time after which the receiver counts as slow. */
  readonly slowAfterMs: number;
  /** Marks the receiver as slow; from now on the attempt counts in the slow pool. */
  turnSlow(): void;
  /** @param end undefined when no attempt was made */
  end(end: AttemptEnd | undefined): void;
}

interface EndpointLoad {
  inFlight: number;
  slow: number;
}

/**
 * Assigns slots to endpoints. Slow attempts move to a larger, bounded pool. An endpoint that has not
 * responded yet, or did not respond last time, gets one attempt at a time. So any number of hanging endpoints
 * cannot take the slots from those that respond. `HostLimits` limits the endpoints of one host together.
 */
export class EndpointSlots {
  private readonly loads = new Map<string, EndpointLoad>();
  /** Whether an endpoint responded last time, most recent attempt last; missing while unknown. */
  private readonly answered = new Map<string, boolean>();
  private fast = 0;
  private waiting = 0;
  /** Attempts in flight at untrusted endpoints. */
  private untrusted = 0;
  private readonly hosts: HostLimits;

  constructor(private readonly limits: SlotLimits) {
    this.hosts = new HostLimits({
      concurrency: limits.endpointConcurrency,
      ratePerSecond: limits.hostRate,
    });
  }

  get inFlight(): number {
    return this.fast + this.waiting;
  }

  /**
   * How many attempts may start at each of these endpoints. Free slots are assigned one by one, round robin.
   * @param ready the host of each endpoint
   */
  rooms(ready: ReadonlyMap<string, string>, nowMs = performance.now()): Rooms {
    const rooms = new Map<string, number>();
    const atHosts = new Map<string, { all: number; suspect: number }>();
    let rateWaitMs = Number.POSITIVE_INFINITY;
    let free = this.limits.concurrency - this.fast;
    let untrusted = this.untrusted;
    let open = [...ready];
    while (free > 0 && open.length > 0) {
      const stillOpen: typeof open = [];
      for (const [endpointId, host] of open) {
        if (free === 0) break;
        const dealt = rooms.get(endpointId) ?? 0;
        const atHost = atHosts.get(host) ?? { all: 0, suspect: 0 };
        const isUntrusted = this.isUntrusted(endpointId);
        if (!this.mayBegin(endpointId, dealt, untrusted)) continue;
        if (!this.hosts.hasRoom(host, atHost, isUntrusted)) continue;
        const waitMs = this.hosts.waitMs(host, atHost.all, nowMs);
        if (waitMs > 0) {
          rateWaitMs = Math.min(rateWaitMs, waitMs);
          continue;
        }
        rooms.set(endpointId, dealt + 1);
        atHosts.set(host, atHost);
        atHost.all += 1;
        free -= 1;
        if (isUntrusted) {
          untrusted += 1;
          atHost.suspect += 1;
        }
        stillOpen.push([endpointId, host]);
      }
      open = stillOpen;
    }
    return { rooms, rateWaitMs };
  }

  begin(endpointId: string, host: string, nowMs = performance.now()): Slot {
    const load = this.loads.get(endpointId) ?? { inFlight: 0, slow: 0 };
    this.loads.set(endpointId, load);
    load.inFlight += 1;
    this.fast += 1;
    const isUntrusted = this.isUntrusted(endpointId);
    if (isUntrusted) this.untrusted += 1;
    this.hosts.begin(host, isUntrusted, nowMs);
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
      end: (end) => {
        load.inFlight -= 1;
        if (isSlow) load.slow -= 1;
        if (isSlow) this.waiting -= 1;
        else this.fast -= 1;
        if (isUntrusted) this.untrusted -= 1;
        if (load.inFlight === 0) this.loads.delete(endpointId);
        this.hosts.end(host, isUntrusted, end);
        if (end !== undefined) this.remember(endpointId, end !== 'unanswered');
      },
    };
  }

  private isUntrusted(endpointId: string): boolean {
    return this.answered.get(endpointId) !== true;
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
