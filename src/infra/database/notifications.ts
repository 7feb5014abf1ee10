import { Client } from 'pg';

/** Called with the payload of a notification, or with null after a gap in which notifications may have been lost. */
export type NotificationListener = (payload: string | null) => void;

export interface NotificationsSettings {
  readonly databaseUrl: string;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string;
  /** Called with a message when the connection is lost. */
  readonly warn: (text: string) => void;
}

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5_000;

/**
 * Notifications of PostgreSQL (LISTEN/NOTIFY) over one connection per process, opened at the first
 * subscription. A notification is only a wake-up: it is lost while the connection is down, so each listener is
 * called with null after a reconnect and reads the current state.
 */
export class Notifications {
  private readonly listeners = new Map<string, Set<NotificationListener>>();
  private client: Client | null = null;
  private connecting = false;
  private closed = false;
  private pauseMs = FIRST_PAUSE_MS;
  private retry: NodeJS.Timeout | undefined;
  /** A connection runs one statement at a time. */
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly settings: NotificationsSettings) {}

  /**
   * @param channel a constant name: letters and underscores
   * @param listener must not throw; called with null when the channel is subscribed, and after every gap
   * @returns unsubscribes
   */
  subscribe(channel: string, listener: NotificationListener): () => void {
    if (!/^[a-z_]+$/.test(channel)) throw new RangeError(`"${channel}" is no channel name`);
    const known = this.listeners.get(channel);
    if (known === undefined) {
      this.listeners.set(channel, new Set([listener]));
      if (this.client !== null) void this.listen(this.client, [channel]);
      else this.connect();
    } else known.add(listener);
    return () => this.listeners.get(channel)?.delete(listener);
  }

  /** Nest calls it when the application ends. */
  onApplicationShutdown(): Promise<void> {
    return this.close();
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.retry);
    const { client } = this;
    this.client = null;
    await client?.end().catch(() => undefined);
  }

  private connect(): void {
    if (this.closed || this.connecting || this.client !== null) return;
    this.connecting = true;
    const { databaseUrl, applicationName } = this.settings;
    const client = new Client({
      connectionString: databaseUrl,
      application_name: `${applicationName}-listen`,
      connectionTimeoutMillis: 5_000,
      // A connection may be idle for hours. Without keep-alive, a dead network would look like an idle one.
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    });
    client.on('notification', ({ channel, payload }) => this.tell(channel, payload ?? ''));
    client.on('error', (error) => this.lose(client, error));
    client.on('end', () => this.lose(client, new Error('the connection ended')));
    client.connect().then(
      async () => {
        this.connecting = false;
        if (this.closed) return client.end();
        this.client = client;
        return this.listen(client, [...this.listeners.keys()]);
      },
      (error: unknown) => {
        this.connecting = false;
        this.later(error);
      },
    );
  }

  private listen(client: Client, channels: readonly string[]): Promise<void> {
    this.last = this.last.then(() => this.listenNow(client, channels));
    return this.last;
  }

  /** Never rejects. */
  private async listenNow(client: Client, channels: readonly string[]): Promise<void> {
    // The next connection listens to all channels.
    if (this.client !== client) return;
    try {
      await client.query(channels.map((channel) => `LISTEN ${channel}`).join(';'));
      this.pauseMs = FIRST_PAUSE_MS;
      for (const channel of channels) this.tell(channel, null);
    } catch (error) {
      this.lose(client, error);
    }
  }

  private tell(channel: string, payload: string | null): void {
    for (const listener of this.listeners.get(channel) ?? []) listener(payload);
  }

  private lose(client: Client, error: unknown): void {
    if (this.client !== client) return;
    this.client = null;
    client.end().catch(() => undefined);
    this.later(error);
  }

  private later(error: unknown): void {
    if (this.closed) return;
    this.settings.warn(`not listening to the database, trying again in ${this.pauseMs} ms: ${String(error)}`);
    this.retry = setTimeout(() => this.connect(), this.pauseMs).unref();
    this.pauseMs = Math.min(MAX_PAUSE_MS, this.pauseMs * 2);
  }
}
