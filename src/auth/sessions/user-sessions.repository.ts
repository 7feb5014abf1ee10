import { Inject, Injectable } from '@nestjs/common';
import { auditLog } from '../../audit/audit-log.js';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { Database, type Prepared } from '../../infra/database/database.js';
import type { Session } from './session.js';
import { hashSecretToken } from '../../kernel/secret-token.js';

/** One place where the user is signed in. */
export interface SignedInDevice {
  /** The first half of the token's hash, hex. It identifies a session and cannot be used to sign in. */
  readonly id: string;
  readonly isCurrent: boolean;
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  readonly expiresAt: Date;
}

/** Limit of a list. The most recently used sessions are shown. */
const MAX_LISTED = 100;

const ID = `left(encode(token_hash, 'hex'), 32)`;

/** $2: the hash of the current token; $3: idle seconds. */
const LIST: Prepared = {
  name: 'user_sessions_list',
  text: `SELECT ${ID} AS id, token_hash = $2 AS "isCurrent", address, user_agent AS "userAgent",
                created_at AS "createdAt", last_seen_at AS "lastSeenAt", expires_at AS "expiresAt"
           FROM sessions
          WHERE account_id = $1 AND expires_at > now()
            AND last_seen_at > now() - $3::float8 * interval '1 second'
          ORDER BY token_hash = $2 DESC, last_seen_at DESC, token_hash LIMIT ${MAX_LISTED}`,
};

const END_ONE: Prepared = {
  name: 'user_sessions_end_one',
  text: `DELETE FROM sessions WHERE account_id = $1 AND ${ID} = $2 RETURNING account_id`,
};

const END_OTHERS: Prepared = {
  name: 'user_sessions_end_others',
  text: 'DELETE FROM sessions WHERE account_id = $1 AND token_hash <> $2 RETURNING account_id',
};

/** The sessions of the signed-in user. */
@Injectable()
export class UserSessionsRepository {
  constructor(
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** The current session first, then the most recently used ones. */
  async list({ user, token }: Session): Promise<SignedInDevice[]> {
    const values = [user.id, hashSecretToken(token), this.config.sessionIdleSeconds];
    return this.database.query<SignedInDevice>(LIST, values);
  }

  /** @returns whether there was such a session of this user */
  async end({ user }: Session, id: string): Promise<boolean> {
    return (await this.endBy(END_ONE, user.id, id)) > 0;
  }

  /** Ends every session but the current one. */
  async endOthers({ user, token }: Session): Promise<void> {
    await this.endBy(END_OTHERS, user.id, hashSecretToken(token));
  }

  private async endBy(statement: Prepared, userId: string, which: string | Buffer): Promise<number> {
    return this.database.transaction(async (tx) => {
      const { length: sessions } = await tx.query(statement, [userId, which]);
      const entry = { action: 'session.revoked', accountId: userId, details: { sessions } } as const;
      if (sessions > 0) await auditLog.record(tx, entry);
      return sessions;
    });
  }
}
