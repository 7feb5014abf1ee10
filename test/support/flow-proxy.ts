import { connect, createServer, type Server, type Socket } from 'node:net';

/**
 * A network between a role and PostgreSQL that can fail at the worst moment: a transaction is committed, and the
 * connection breaks before the client hears of it.
 */
export class FlowProxy {
  private readonly sockets = new Set<Socket>();
  private awaited: string | undefined;
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

  /** What to connect to instead. */
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

  /** Breaks, once, the connection of the next transaction with this prepared statement, when it is committed. */
  breakAfterCommitOf(statementName: string): void {
    this.awaited = statementName;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private join(client: Socket): void {
    const server = connect(Number(this.target.port), this.target.hostname);
    let isInTransaction = false;
    let isCommitting = false;
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
      if (this.awaited !== undefined && text.includes(this.awaited)) isInTransaction = true;
      if (isInTransaction && text.includes('COMMIT\0')) {
        isCommitting = true;
        this.awaited = undefined;
      }
      server.write(chunk);
    });
    server.on('data', (chunk) => {
      // The answer to COMMIT: it is done, and nobody is told.
      if (!isCommitting) client.write(chunk);
      else {
        this.cuts += 1;
        end();
      }
    });
  }
}
