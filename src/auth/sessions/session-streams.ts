import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { EventStream } from '../../common/events/event-stream.js';
import { Database, type Prepared } from '../../infra/database/database.js';
import { Notifications } from '../../infra/database/notifications.js';
import { isPermitted, type Role } from '../../kernel/accounts/roles.js';
import type { Session } from './session.js';
import { hashSecretToken } from '../../kernel/secret-token.js';

const ALIVE: Prepared = {
  name: 'sessions_alive',
  text: `SELECT encode(s.token_hash, 'hex') AS hash,
                coalesce(i.account_id, m.account_id, s.account_id) AS "accountId",
                CASE WHEN i.account_id IS NULL THEN coalesce(m.role, 'owner') ELSE 'owner' END AS role
           FROM sessions s
           JOIN accounts u ON u.id = s.account_id
           LEFT JOIN LATERAL (SELECT s.impersonated_account_id AS account_id
                               WHERE u.operator_since IS NOT NULL AND s.impersonation_expires_at > now()) i ON true
           LEFT JOIN memberships m ON m.account_id = s.current_account_id AND m.user_id = s.account_id
          WHERE s.token_hash = ANY ($1) AND s.expires_at > now()`,
};

/** Checks within this time share one query. */
const GATHER_MS = 50;
const RETRY_MS = 1_000;

interface OpenStream {
  readonly userId: string;
  /** The organization whose events it sends. */
  readonly accountId: string;
  /** SHA-256 of the session's token, hex. */
  readonly hash: string;
}

/**
 * Ends the event streams of a session in any process when the session ends (by sign-out, a new password, account
 * deletion or an operator), and when its user leaves the organization or may no longer see its images. The database
 * sends a notification, and the process then reads the sessions from the table.
 */
@Injectable()
export class SessionStreams implements OnModuleDestroy {
  private readonly logger = new Logger('accounts');
  private readonly streams = new Map<EventStream, OpenStream>();
  private readonly toCheck = new Set<EventStream>();
  private unsubscribe: (() => void) | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly notifications: Notifications,
    private readonly database: Database,
  ) {}

  /** Ties a stream to its session. Null, for a response without a stream, stays null. */
  bind<Stream extends EventStream | null>(session: Session, stream: Stream): Stream {
    if (stream === null || stream.destroyed) return stream;
    this.unsubscribe ??= this.notifications.subscribe('session_ended', (accountId) => this.heard(accountId));
    const hash = hashSecretToken(session.token).toString('hex');
    this.streams.set(stream, { userId: session.user.id, accountId: session.account.id, hash });
    stream.once('close', () => this.forget(stream));
    // The session may have ended after the guard saw it.
    this.check([stream]);
    return stream;
  }

  onModuleDestroy(): void {
    clearTimeout(this.timer);
    this.unsubscribe?.();
  }

  private forget(stream: EventStream): void {
    this.streams.delete(stream);
    this.toCheck.delete(stream);
  }

  /** @param accountId null when notifications may have been missed */
  private heard(accountId: string | null): void {
    const concerned = [...this.streams].filter(
      ([, open]) => accountId === null || open.userId === accountId || open.accountId === accountId,
    );
    this.check(concerned.map(([stream]) => stream));
  }

  private check(streams: readonly EventStream[], afterMs: number = GATHER_MS): void {
    for (const stream of streams) this.toCheck.add(stream);
    if (this.toCheck.size > 0) this.timer ??= setTimeout(() => void this.endFinished(), afterMs).unref();
  }

  private async endFinished(): Promise<void> {
    this.timer = undefined;
    const streams = [...this.toCheck].filter((stream) => this.streams.has(stream));
    this.toCheck.clear();
    const hashes = new Set(streams.map((stream) => this.streams.get(stream)!.hash));
    try {
      const alive = await this.database.query<{ hash: string; accountId: string; role: Role }>(ALIVE, [
        Array.from(hashes, (hash) => Buffer.from(hash, 'hex')),
      ]);
      const seeing = alive.filter(({ role }) => isPermitted(role, 'images:read'));
      const current = new Map(seeing.map(({ hash, accountId }) => [hash, accountId]));
      for (const stream of streams) {
        const open = this.streams.get(stream);
        if (open !== undefined && current.get(open.hash) !== open.accountId) stream.finish();
      }
    } catch (error) {
      this.logger.warn(`could not read ended sessions; retrying: ${String(error)}`);
      this.check(streams, RETRY_MS);
    }
  }
}
