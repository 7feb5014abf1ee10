import type { Harness } from './harness.js';

export interface JobEvent {
  readonly id: string;
  readonly job: { readonly id: string; readonly status: string; readonly progress: number };
  readonly queuePosition: number | null;
}

/** Reads the server-sent events of a job with plain `fetch`. */
export class EventReader {
  readonly events: JobEvent[] = [];
  private readonly abort = new AbortController();
  /** Resolves when the service ends the stream. */
  readonly ended: Promise<void>;

  private constructor(readonly answer: Response) {
    this.ended = this.read();
  }

  static async open(
    harness: Harness,
    key: string,
    jobId: string,
    lastEventId?: string,
  ): Promise<EventReader> {
    const abort = new AbortController();
    const answer = await fetch(`${harness.url}/api/ai/enhance/${jobId}/events`, {
      headers: { 'x-api-key': key, ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }) },
      signal: abort.signal,
    });
    const reader = new EventReader(answer);
    reader.abort.signal.addEventListener('abort', () => abort.abort());
    return reader;
  }

  /** Disconnects the client. */
  async leave(): Promise<void> {
    this.abort.abort();
    await this.ended;
  }

  private async read(): Promise<void> {
    const decoder = new TextDecoder();
    let text = '';
    try {
      for await (const chunk of this.answer.body ?? []) {
        text += decoder.decode(chunk, { stream: true });
        for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
          this.take(text.slice(0, end));
          text = text.slice(end + 2);
        }
      }
    } catch (error) {
      if (!this.abort.signal.aborted) throw error;
    }
  }

  private take(block: string): void {
    const fields = Object.fromEntries(
      block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
    ) as { event?: string; id?: string; data?: string };
    if (fields.event !== 'job') return;
    this.events.push({ id: fields.id!, ...(JSON.parse(fields.data!) as Omit<JobEvent, 'id'>) });
  }
}
