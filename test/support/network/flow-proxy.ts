import { connect, createServer, type Server, type Socket } from 'node:net';

/** Where to break a connection once: before a statement arrives, before its response, or after its COMMIT. */
interface Break {
  readonly statement: string;
  readonly when: 'before' | 'unanswered' | 'committed';
}

/**
 * A network between a role and PostgreSQL that can fail at the worst moment, for example: a transaction is committed,
 * and the connection breaks before the client hears of it.
 */
export class FlowProxy {
  private readonly sockets = new Set<Socket>();
  private awaited: Break | undefined;
  private cuts = 0;

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
  ) {
    server.on('connection', (client) => this.join(client));
  }

  static async start(databaseUrl: string): Promise<FlowProxy> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new FlowProxy(server, new URL(databaseUrl));
  }

  /** The URL to connect to instead. */
  get databaseUrl(): string {
    const address = this.server.address();
    const url = new URL(this.target);
    url.host = `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    return url.href;
  }

  /** How many connections were broken. */
  get broken(): number {
    return this.cuts;
  }

  /** Breaks the connection of the next transaction with this prepared statement once, right after its commit. */
  breakAfterCommitOf(statementName: string): void {
    this.awaited = { statement: statementName, when: 'committed' };
  }

  /** Breaks the connection of the next such prepared statement once, before PostgreSQL receives it. */
  breakBefore(statementName: string): void {
    this.awaited = { statement: statementName, when: 'before' };
  }

  /** Breaks the connection of the next such prepared statement once, after PostgreSQL has executed it. */
  breakBeforeAnswerTo(statementName: string): void {
    this.awaited = { statement: statementName, when: 'unanswered' };
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private join(client: Socket): void {
    const server = connect(Number(this.target.port), this.target.hostname);
    let isInTransaction = false;
    let isDeaf = false;
    const end = () => {
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) {
      this.sockets.add(socket);
      socket.on('error', end).on('close', () => {
        this.sockets.delete(socket);
        end();
      });
    }
    client.on('data', (chunk) => {
      const text = chunk.toString('latin1');
      const when = this.awaited !== undefined && text.includes(this.awaited.statement) && this.awaited.when;
      if (when === 'before') {
        this.broke();
        end();
        return;
      }
      if (when === 'committed') isInTransaction = true;
      if (when === 'unanswered' || (isInTransaction && text.includes('COMMIT\0'))) isDeaf = true;
      server.write(chunk);
    });
    server.on('data', (chunk) => {
      if (!isDeaf) client.write(chunk);
      // Executed, but not acknowledged. A statement that is new to the connection gets its response in two pieces.
      else if (isAnswerComplete(chunk)) {
        this.broke();
        end();
      }
    });
  }

  private broke(): void {
    this.awaited = undefined;
    this.cuts += 1;
  }
}

/** Whether PostgreSQL is ready for the next query: the last message of every response. */
function isAnswerComplete(chunk: Buffer): boolean {
  return chunk.length >= 6 && chunk.subarray(-6, -1).equals(READY_FOR_QUERY);
}

const READY_FOR_QUERY = Buffer.from([0x5a, 0, 0, 0, 5]);
