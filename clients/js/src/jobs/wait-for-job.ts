import { ApiError, ConnectionError, JobFailedError, TimeoutError } from '../errors.js';
import type { Job } from '../generated/schema.js';
import { Deadline } from '../http/deadline.js';
import { throwIfAborted } from '../http/throw-if-aborted.js';
import type { Transport } from '../http/transport.js';
import { WaitPace } from '../http/wait-pace.js';
import { followJob, type JobState, NoEventStream } from './follow-job.js';
import type { HeldConnections } from './held-connections.js';
import { pollJob } from './poll-job.js';

const TIMEOUT_MS = 600_000;

export interface WaitOptions {
  /** Stops waiting. The job continues. */
  readonly signal?: AbortSignal | undefined;
  /** Maximum wait, in milliseconds. Default: ten minutes. */
  readonly timeoutMs?: number | undefined;
  /** Called with each new state, in order. */
  readonly onProgress?: ((state: JobState) => void) | undefined;
}

/**
 * Waits until a job has completed: with the service's event stream, otherwise with held responses, otherwise by polling
 * with growing pauses. Continues after broken connections and restarts of the service.
 * @throws JobFailedError, TimeoutError, ApiError, ConnectionError, AbortedError
 */
export async function waitForJob(
  transport: Transport,
  connections: HeldConnections,
  id: string,
  options: WaitOptions = {},
): Promise<Job> {
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  const deadline = new Deadline(timeoutMs, options.signal);
  const giveBack = connections.take();
  try {
    const job = await new Wait(
      transport,
      id,
      deadline.signal,
      giveBack !== undefined,
      options.onProgress,
    ).end();
    if (job.status === 'failed') throw new JobFailedError(job);
    return job;
  } catch (error) {
    throwIfAborted(options.signal);
    if (!deadline.isOver) throw error;
    throw new TimeoutError(
      `The job ${id} had not ended after ${timeoutMs / 1000} s. It goes on: jobs.wait(id) waits for it again.`,
      id,
    );
  } finally {
    giveBack?.();
    deadline.release();
  }
}

/** One wait for one job. */
class Wait {
  private lastEventId = '';
  private hasStreams: boolean;
  private readonly pace: WaitPace;
  private told = '';

  constructor(
    private readonly transport: Transport,
    private readonly id: string,
    private readonly signal: AbortSignal,
    /** Whether a response may be held open. */
    private readonly mayHold: boolean,
    private readonly onProgress: ((state: JobState) => void) | undefined,
  ) {
    this.hasStreams = mayHold;
    this.pace = new WaitPace(signal);
  }

  async end(): Promise<Job> {
    for (;;) {
      try {
        const job = await (this.hasStreams ? this.follow() : this.ask());
        if (job !== null) return job;
      } catch (error) {
        this.consider(error);
      }
      await this.pace.rest();
    }
  }

  /** @returns null when the stream ended before the job did */
  private async follow(): Promise<Job | null> {
    const { signal, lastEventId } = this;
    try {
      for await (const state of followJob(this.transport, this.id, { signal, lastEventId })) {
        this.lastEventId = state.eventId;
        this.see({ job: state.job, queuePosition: state.queuePosition });
        if (hasEnded(state.job)) return state.job;
      }
    } catch (error) {
      throwIfAborted(signal);
      // A stream that something in between always breaks must not hide the end of the job.
      if (!(error instanceof ConnectionError)) throw error;
    }
    // The stream ended before the job: the service is stopping, had already sent the end, or the connection broke.
    return this.ask();
  }

  private async ask(): Promise<Job | null> {
    const { job, wasHeld } = await pollJob(this.transport, this.id, {
      signal: this.signal,
      mayHold: this.mayHold && !this.hasStreams,
    });
    this.see({ job, queuePosition: null });
    if (hasEnded(job)) return job;
    // A held response replaces the pause.
    if (wasHeld) this.pace.held();
    return null;
  }

  private see(state: JobState): void {
    this.pace.answered();
    // Streams and polling may report the same state twice.
    const { status, progress, attempts } = state.job;
    const telling = `${status} ${progress} ${attempts} ${state.queuePosition ?? ''}`;
    if (telling === this.told) return;
    this.told = telling;
    this.onProgress?.(state);
  }

  /** @throws the error, unless waiting may help */
  private consider(error: unknown): void {
    throwIfAborted(this.signal);
    if (error instanceof NoEventStream || (this.hasStreams && isNoStreamNow(error))) {
      this.hasStreams = false;
      return;
    }
    this.pace.consider(error);
  }
}

const hasEnded = ({ status }: Job): boolean => status === 'completed' || status === 'failed';

/**
 * An older service or a proxy may not support streams, a gateway may give up on a response that lasts, and a busy
 * service may have no capacity for another one while it answers polls. If the job is unknown or the service is down,
 * polling reports the error.
 */
function isNoStreamNow(error: unknown): boolean {
  return error instanceof ApiError && ([404, 405, 406].includes(error.status) || error.status >= 500);
}
