import type { AttemptEnd } from '../../infra/telemetry/dispatcher/webhook-metrics.js';

/** Share of the attempts at one host for endpoints that did not respond last time, or never. */
const SUSPECT_SHARE = 0.75;
/** After this many failures in a row, a host gets one attempt a second until one succeeds. */
const FAILURES_BEFORE_SLOW = 10;
const SLOW_INTERVAL_MS = 1_000;
/** A host that got no attempts for this time gets as many at once as its rate allows in this time. */
const BURST_MS = 1_000;
/** Hosts whose load is known. Others may get a burst again. */
export const MAX_KNOWN_HOSTS = 10_000;

export interface HostLimit {
  /** Concurrent attempts. */
  readonly concurrency: number;
  readonly ratePerSecond: number;
}

/** Attempts that were assigned to a host, but have not begun. */
export interface AssignedAttempts {
  readonly all: number;
  /** Of these, at endpoints that did not respond last time, or never. */
  readonly suspect: number;
}

interface HostLoad {
  inFlight: number;
  suspect: number;
  failuresInARow: number;
  /** The time at which the rate has made up for all attempts (GCRA). */
  settledMs: number;
}

/**
 * Limits the attempts at each host, however many endpoints have URLs there. A host is that of one account: endpoints of
 * others at the same host, such as that of a chat service, are not slowed down.
 */
export class HostLimits {
  private readonly loads = new Map<string, HostLoad>();

  constructor(private readonly limit: HostLimit) {}

  /** Whether one more attempt may be in flight, besides those that were assigned. */
  hasRoom(host: string, assigned: AssignedAttempts, isSuspect: boolean): boolean {
    const { inFlight = 0, suspect = 0 } = this.loads.get(host) ?? {};
    const { concurrency } = this.limit;
    if (inFlight + assigned.all >= concurrency) return false;
    return !isSuspect || suspect + assigned.suspect < Math.ceil(concurrency * SUSPECT_SHARE);
  }

  begin(host: string, isSuspect: boolean, nowMs: number): void {
    const load = this.loads.get(host) ?? { inFlight: 0, suspect: 0, failuresInARow: 0, settledMs: 0 };
    load.settledMs = Math.max(load.settledMs, nowMs) + this.intervalMs(load);
    load.inFlight += 1;
    if (isSuspect) load.suspect += 1;
    this.remember(host, load);
  }

  /** @param end undefined when no attempt was made */
  end(host: string, isSuspect: boolean, end: AttemptEnd | undefined): void {
    const load = this.loads.get(host)!;
    load.inFlight -= 1;
    if (isSuspect) load.suspect -= 1;
    if (end === 'succeeded') load.failuresInARow = 0;
    else if (end !== undefined) load.failuresInARow += 1;
  }

  /** Milliseconds until the rate of the host allows an attempt after those that were assigned; zero or less: now. */
  waitMs(host: string, assigned: number, nowMs: number): number {
    const load = this.loads.get(host);
    const settledMs = Math.max(load?.settledMs ?? 0, nowMs) + (assigned + 1) * this.intervalMs(load);
    return settledMs - nowMs - BURST_MS;
  }

  private intervalMs(load: HostLoad | undefined): number {
    return (load?.failuresInARow ?? 0) >= FAILURES_BEFORE_SLOW
      ? SLOW_INTERVAL_MS
      : BURST_MS / this.limit.ratePerSecond;
  }

  /** Forgets the hosts whose last attempt is the longest ago. */
  private remember(host: string, load: HostLoad): void {
    this.loads.delete(host);
    this.loads.set(host, load);
    for (const [known, { inFlight }] of this.loads) {
      if (this.loads.size <= MAX_KNOWN_HOSTS) return;
      if (inFlight === 0) this.loads.delete(known);
    }
  }
}
