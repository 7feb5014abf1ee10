import { ConnectionError, ImageEnhancementError } from '../errors.js';
import type { Job } from '../generated/schema.js';
import { readServerEvents } from '../http/server-events.js';
import { Silence } from '../http/silence.js';
import { throwIfAborted } from '../http/throw-if-aborted.js';
import type { Transport } from '../http/transport.js';

/** A job at one moment. */
export interface JobState {
  readonly job: Job;
  /** The number of jobs ahead, plus one: an upper bound. Null when the job is not queued, or when it is unknown. */
  readonly queuePosition: number | null;
}

export interface FollowedState extends JobState {
  /** Resume after this state with this id when the connection breaks. */
  readonly eventId: string;
}

/** The service, or an intermediary, does not support event streams. Some proxies hold them back to their end. */
export class NoEventStream extends ImageEnhancementError {
  constructor() {
    super('no_event_stream', 'The answer is no event stream.');
  }
}

/**
 * The states of a job as the service sends them, to the end of the stream: the job has ended, or the service is
 * stopping.
 * @throws NoEventStream, ApiError, ConnectionError, AbortedError
 */
export async function* followJob(
  transport: Transport,
  id: string,
  options: { readonly signal: AbortSignal; readonly lastEventId: string },
): AsyncGenerator<FollowedState> {
  // The request lasts as long as the job, so the limit applies to the time without a sign of life.
  const silence = new Silence(options.signal, transport.timeoutMsOf({}));
  let hasArrived = false;
  const onChunk = () => {
    hasArrived = true;
    silence.heard();
  };
  try {
    const response = await transport.send(
      {
        method: 'GET',
        path: `/ai/enhance/${encodeURIComponent(id)}/events`,
        headers: {
          accept: 'text/event-stream',
          ...(options.lastEventId === '' ? {} : { 'last-event-id': options.lastEventId }),
        },
      },
      { signal: silence.signal, timeoutMs: Infinity, maxRetries: 0 },
      (answer) => Promise.resolve(answer),
    );
    silence.heard();
    if (response.status === 204) return;
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    if (!isStream || response.body === null) throw new NoEventStream();
    for await (const { event, data, id: eventId } of readServerEvents(response.body, onChunk)) {
      if (event === 'job') yield { ...stateOf(data), eventId };
    }
  } catch (error) {
    throwIfAborted(options.signal);
    if (silence.failure !== undefined) throw hasArrived ? silence.failure : new NoEventStream();
    if (error instanceof ImageEnhancementError) throw error;
    throw new ConnectionError('The connection broke while waiting for the job.', { cause: error });
  } finally {
    silence.release();
  }
}

/** @throws ConnectionError when something in between has changed the event */
function stateOf(data: string): JobState {
  const state = JSON.parse(data) as Partial<JobState> | null;
  if (typeof state?.job?.status === 'string') return state as JobState;
  throw new ConnectionError('The event stream contains an event without a job.');
}
