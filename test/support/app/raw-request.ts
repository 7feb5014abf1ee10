import { connect, type Socket } from 'node:net';
import { once } from 'node:events';

/** A request over a separate connection that the test writes byte by byte. */
export class RawRequest {
  private received = '';
  private readonly closed: Promise<void>;
  private readonly ended: Promise<void>;

  private constructor(private readonly socket: Socket) {
    socket.setNoDelay(true).setEncoding('latin1');
    socket.on('data', (chunk: string) => (this.received += chunk));
    // The server may end the connection while we still send; what it sent before counts.
    socket.on('error', () => undefined);
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()));
    this.ended = new Promise((resolve) => socket.once('end', () => resolve()).once('close', () => resolve()));
  }

  /**
   * Connects, and sends the request line and headers.
   * @param headers in addition to `Host`, which `undefined` leaves out
   */
  static async open(
    url: string,
    line: string,
    headers: Readonly<Record<string, string | undefined>>,
  ): Promise<RawRequest> {
    const { hostname, port } = new URL(url);
    // Like a client that keeps sending whatever the server does.
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    await once(socket, 'connect');
    const request = new RawRequest(socket);
    const lines = Object.entries({ Host: hostname, ...headers })
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${name}: ${value}`);
    socket.write(`${line} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    return request;
  }

  /** Sends bytes; resolves when they are handed to the system, or the connection is closed. */
  async write(bytes: Buffer | string): Promise<void> {
    if (this.socket.destroyed || !this.socket.writable) return;
    await Promise.race([
      new Promise<void>((resolve) => this.socket.write(bytes, () => resolve())),
      this.closed,
    ]);
  }

  /** Sends bytes as one chunk of a body with `Transfer-Encoding: chunked`. */
  async writeChunk(bytes: Buffer): Promise<void> {
    await this.write(`${bytes.length.toString(16)}\r\n`);
    await this.write(bytes);
    await this.write('\r\n');
  }

  /** Whether the server has begun its response. */
  get hasAnswer(): boolean {
    return this.received !== '';
  }

  /** Whether the connection is closed. */
  get isOver(): boolean {
    return this.socket.destroyed;
  }

  /** Breaks the connection, like a dying client. */
  abort(): void {
    this.socket.resetAndDestroy();
  }

  /** Waits for the complete response. @returns status, headers and body */
  async answer(): Promise<RawAnswer> {
    await this.ended;
    this.socket.end();
    await this.closed;
    return parse(this.received);
  }
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

function parse(received: string): RawAnswer {
  const [head = '', body = ''] = received.split(/\r\n\r\n([^]*)/);
  const [line = '', ...lines] = head.split('\r\n');
  const headers = lines.map((text) => {
    const [name = '', value = ''] = text.split(/: ?(.*)/);
    return [name.toLowerCase(), value] as const;
  });
  return { status: Number(line.split(' ')[1]), headers: Object.fromEntries(headers), body };
}
