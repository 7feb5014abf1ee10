import { setTimeout as sleep } from 'node:timers/promises';
import { Replica, type ServerAnswer, type ServerRequest } from './replica.js';
import { serverAddress } from './server-address.js';
import { isUnanswered, ModelAbsent, ServerFailed, ServerUnavailable } from './server-errors.js';

/** A request that got no response twice, or that failed on a server twice, is abandoned: it may be the cause. */
const MAX_FAILURES = 2;

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * How long to keep trying after the first failure while no replica accepts the request, milliseconds; 0: each replica
   * once.
   */
  readonly patienceMs: number;
}

/** The replicas of one inference server. Each request goes to the least busy one, and to another if that fails. */
export class Replicas {
  private readonly replicas: readonly Replica[];

  /** @param connections maximum for each replica */
  constructor(urls: readonly string[], connections: number) {
    this.replicas = urls.map((url) => new Replica(serverAddress(url), connections));
  }

  /** For example `triton-1:8000, triton-2:8000`, without credentials. */
  get name(): string {
    return this.replicas.map(({ name }) => name).join(', ');
  }

  /**
   * Sends a request, with retries on other replicas. Inference has no side effects, so a request may be repeated.
   * @throws like `Replica.request`, after every available replica was tried; a request that got no response may have
   * stopped the server, so that error takes precedence over later ones without a connection
   */
  async request(request: ServerRequest, { signal, patienceMs }: RequestOptions): Promise<ServerAnswer> {
    let untilMs = performance.now() + patienceMs;
    const tried = new Set<Replica>();
    let failures = 0;
    let last: unknown;
    let unanswered: ServerUnavailable | undefined;
    for (;;) {
      const replica = this.freest(tried);
      if (replica === undefined) {
        if (!(last instanceof ServerFailed)) throw unanswered ?? last;
        tried.clear();
        continue;
      }
      if (replica.pauseMs > 0 && patienceMs > 0) {
        const isLate = performance.now() + replica.pauseMs > untilMs;
        // A request without a response gets a second chance, however long the first one took.
        if (isLate && !isUnanswered(last)) throw unanswered ?? last ?? this.paused();
        await pause(replica.pauseMs, signal);
      }
      try {
        return await replica.request(request, signal);
      } catch (error) {
        if (last === undefined) untilMs = performance.now() + patienceMs;
        last = error;
        if (isUnanswered(error)) unanswered = error;
        if (isUnanswered(error) || error instanceof ServerFailed) failures++;
        if (!isWorthAnother(error) || failures >= MAX_FAILURES) throw error;
        // A replica that is only overloaded or restarting is tried again.
        if (!(error instanceof ServerUnavailable) || patienceMs === 0) tried.add(replica);
      }
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.replicas.map((replica) => replica.close()));
  }

  private freest(tried: ReadonlySet<Replica>): Replica | undefined {
    return this.replicas
      .filter((replica) => !tried.has(replica))
      .toSorted((a, b) => a.pauseMs - b.pauseMs || a.inFlight - b.inFlight)[0];
  }

  private paused(): ServerUnavailable {
    return new ServerUnavailable(`${this.name} did not take the last requests`);
  }
}

function isWorthAnother(error: unknown): boolean {
  return [ServerUnavailable, ServerFailed, ModelAbsent].some((kind) => error instanceof kind);
}

async function pause(pauseMs: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(pauseMs, undefined, { signal }).catch((error: unknown) => {
    signal?.throwIfAborted();
    throw error;
  });
}
