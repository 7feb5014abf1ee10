/** One server-sent event (WHATWG HTML, "Server-sent events"). */
export interface ServerEvent {
  readonly event: string;
  readonly data: string;
  /** The latest event id of the stream, for `Last-Event-ID`. */
  readonly id: string;
}

/**
 * The events of a response body, as they arrive. Ends with the body.
 * @param onChunk called for everything that arrives, including comments, as a sign of life
 */
export async function* readServerEvents(
  body: ReadableStream<Uint8Array>,
  onChunk: () => void = () => undefined,
): AsyncGenerator<ServerEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const parser = new EventParser();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onChunk();
      yield* parser.push(decoder.decode(value, { stream: true }));
    }
  } finally {
    // A caller that stops early must not keep the connection open.
    await reader.cancel().catch(() => undefined);
  }
}

/** Parses lines into events. */
class EventParser {
  private rest = '';
  private event = '';
  private data: string[] = [];
  private id = '';

  *push(text: string): Generator<ServerEvent> {
    this.rest += text;
    for (;;) {
      const end = /\r\n|\n|\r/.exec(this.rest);
      // A carriage return at the end may be the first half of a CRLF.
      if (end === null || (end[0] === '\r' && end.index === this.rest.length - 1)) return;
      const line = this.rest.slice(0, end.index);
      this.rest = this.rest.slice(end.index + end[0].length);
      if (line === '') yield* this.dispatch();
      else this.field(line);
    }
  }

  private field(line: string): void {
    const colon = line.indexOf(':');
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'event') this.event = value;
    else if (name === 'data') this.data.push(value);
    else if (name === 'id' && !value.includes('\0')) this.id = value;
  }

  private *dispatch(): Generator<ServerEvent> {
    const { event, data, id } = this;
    this.event = '';
    this.data = [];
    if (data.length > 0) yield { event: event === '' ? 'message' : event, data: data.join('\n'), id };
  }
}
