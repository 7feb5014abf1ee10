import type { Prepared, Queryable } from '../infra/database/database.js';
import type { AuditAction } from './audit-actions.js';
import type { AuditActorKind } from './audit-actor.js';

export interface AuditEvent extends Record<string, unknown> {
  /** A number as text; larger is newer. */
  readonly id: string;
  readonly createdAt: Date;
  readonly accountId: string | null;
  readonly action: AuditAction;
  readonly actorKind: AuditActorKind;
  readonly actorId: string | null;
  readonly targetId: string | null;
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

export interface AuditQuery {
  /** Only of this account. */
  readonly accountId?: string | undefined;
  /** Only this action, or all whose name begins with it and a dot (`key`). */
  readonly action?: string | undefined;
  readonly since?: Date | undefined;
  /** Only events older than this id. */
  readonly before?: string | undefined;
  readonly limit: number;
}

const LIST: Prepared = {
  name: 'audit_list',
  text: `SELECT id::text, created_at AS "createdAt", account_id AS "accountId", action, actor_kind AS "actorKind",
                actor_id AS "actorId", target_id AS "targetId", address, user_agent AS "userAgent", details
           FROM audit_events
          WHERE ($1::text IS NULL OR account_id = $1) AND ($2::text IS NULL OR action = $2 OR action LIKE $2 || '.%')
            AND ($3::timestamptz IS NULL OR created_at >= $3) AND ($4::bigint IS NULL OR id < $4)
          ORDER BY id DESC LIMIT $5`,
};

const PRUNE: Prepared = {
  name: 'audit_prune',
  text: `WITH gone AS MATERIALIZED (SELECT audit_prune($1::float8 * interval '1 day', $2::int) AS deleted),
           counted AS (
             INSERT INTO retention_counts AS c (kind, deleted, deleted_at)
             SELECT 'audit_events', deleted, now() FROM gone WHERE deleted > 0
             ON CONFLICT (kind) DO UPDATE SET deleted = c.deleted + excluded.deleted, deleted_at = now())
         SELECT deleted FROM gone`,
};

/** Reading the audit log, and deleting what is older than the operator keeps. */
export const auditEvents = {
  /** Newest first. */
  async list(on: Queryable, { accountId, action, since, before, limit }: AuditQuery): Promise<AuditEvent[]> {
    const values = [accountId ?? null, action ?? null, since ?? null, before ?? null, limit];
    return on.query<AuditEvent>(LIST, values);
  },

  /** Deletes at most a batch of the oldest events. @returns how many it deleted */
  async prune(on: Queryable, maxAgeDays: number, batch: number): Promise<number> {
    const [row] = await on.query<{ deleted: number }>(PRUNE, [maxAgeDays, batch]);
    return row!.deleted;
  },
};
