import { Readable } from 'node:stream';

/** One server-sent event (WHATWG HTML, "Server-sent events"). */
export interface ServerEvent {
  readonly event: string;
  /** The browser sends it back as `Last-Event-ID` when it reconnects. No line breaks. */
  readonly id: string;
  readonly data: object;
}

/** Interval of keep-alive comments, so that proxies do not close an idle stream. */
const HEARTBEAT_MS = 15_000;
/** Unread bytes of a slow client above which it gets only the newest event. */
const HIGH_WATER_BYTES = 64 * 1024;

/**
 * Server-sent events as a stream. Every event contains a complete state, so a slow client can skip
 * intermediate events, and memory stays bounded.
 */
export class EventStream extends Readable {
  private readonly heartbeat: NodeJS.Timeout;
  private newest: string | null = null;
  private flowing = true;
  private ending = false;

  /** @param retryMs how long a client waits before it reconnects */
  constructor(retryMs: number) {
    super({ highWaterMark: HIGH_WATER_BYTES });
    this.heartbeat = setInterval(() => {
      if (this.flowing) this.flowing = this.push(': still here\n\n');
    }, HEARTBEAT_MS).unref();
    this.push(`retry: ${retryMs}\n\n`);
  }

  send({ event, id, data }: ServerEvent): void {
    if (this.ending || this.destroyed) return;
    const text = `event: ${event}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`;
    if (this.flowing) this.flowing = this.push(text);
    else this.newest = text;
  }

  /** Ends the stream after the events that were already sent. */
  finish(): void {
    if (this.ending || this.destroyed) return;
    this.ending = true;
    if (this.newest === null) this.push(null);
  }

  override _read(): void {
    this.flowing = true;
    const { newest } = this;
    this.newest = null;
    if (newest !== null) this.flowing = this.push(newest);
    if (this.ending && newest !== null) this.push(null);
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    clearInterval(this.heartbeat);
    callback(error);
  }
}
