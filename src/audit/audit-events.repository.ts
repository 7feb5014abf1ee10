import type { Prepared, Queryable } from '../infra/database/database.js';
import type { AuditAction } from './audit-actions.js';
import type { AuditActorKind } from './audit-actor.js';

export interface AuditEvent {
  /** A decimal number as text; larger is newer. */
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
  /** Only events of this account. */
  readonly accountId?: string | undefined;
  /** Only this action (`key.created`), or every action of this group (`key`). */
  readonly action?: string | undefined;
  readonly since?: Date | undefined;
  /** Only events before this time. */
  readonly until?: Date | undefined;
  /** Only events older than this id. */
  readonly before?: string | undefined;
  readonly limit: number;
}

const COLUMNS = `id::text, created_at AS "createdAt", account_id AS "accountId", action, actor_kind AS "actorKind",
                actor_id AS "actorId", target_id AS "targetId", address, user_agent AS "userAgent", details`;

/** Ids follow time, but concurrent transactions may swap places; this many events are searched for the order. */
const OVERLAP = 1_000;

/** The SQL condition of each filter. The indexes serve each combination only without other conditions. */
const CONDITIONS = {
  accountId: (value: string) => `account_id = ${value}`,
  action: (value: string) =>
    `split_part(action, '.', 1) = split_part(${value}::text, '.', 1) AND (action = ${value} OR strpos(${value}, '.') = 0)`,
  since: (value: string) =>
    `created_at >= ${value} AND id >= (
       SELECT min(id) FROM (
         SELECT id FROM audit_events WHERE created_at >= ${value} ORDER BY created_at LIMIT ${OVERLAP}) earliest)`,
  until: (value: string) =>
    `created_at < ${value} AND id <= (
       SELECT max(id) FROM (
         SELECT id FROM audit_events WHERE created_at < ${value} ORDER BY created_at DESC LIMIT ${OVERLAP}) latest)`,
  before: (value: string) => `id < ${value}::bigint`,
} as const;

const FILTERS = Object.keys(CONDITIONS) as readonly (keyof typeof CONDITIONS)[];

/**
 * One prepared statement for each combination of filters. A bare `id` would sort by the output column, which is text.
 */
function listOf(given: readonly (keyof typeof CONDITIONS)[]): Prepared {
  const conditions = given.map((filter, index) => CONDITIONS[filter](`$${index + 1}`));
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  return {
    name: `audit_list_${given.join('_')}`,
    text: `SELECT ${COLUMNS} FROM audit_events ${where} ORDER BY audit_events.id DESC LIMIT $${given.length + 1}`,
  };
}

const EMAILS: Prepared = {
  name: 'audit_emails',
  text: 'SELECT id, email FROM accounts WHERE id = ANY ($1::text[])',
};

/** Of members, the current address; of former ones, the address that the account invited. */
const MEMBER_EMAILS: Prepared = {
  name: 'audit_member_emails',
  text: `SELECT accepted_by AS id, email, 1 AS rank FROM invitations WHERE account_id = $1 AND accepted_by = ANY ($2::text[])
          UNION ALL
         SELECT a.id, a.email, 2 FROM memberships m JOIN accounts a ON a.id = m.user_id
          WHERE m.account_id = $1 AND a.id = ANY ($2::text[])
          UNION ALL
         SELECT id, email, 2 FROM accounts WHERE id = $1 AND owner_id IS NULL
          ORDER BY rank`,
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

interface Email {
  readonly id: string;
  readonly email: string;
}

const byId = (rows: readonly Email[]) => new Map(rows.map(({ id, email }) => [id, email]));

function idsIn(
  events: readonly AuditEvent[],
  idsOf: (event: AuditEvent) => readonly (string | null)[],
): readonly string[] {
  return [...new Set(events.flatMap(idsOf).filter((id) => id !== null))];
}

/** Reads the audit log and deletes events past their retention. */
export const auditEvents = {
  /** Newest first. */
  async list(on: Queryable, query: AuditQuery): Promise<AuditEvent[]> {
    const given = FILTERS.filter((filter) => query[filter] !== undefined);
    return on.query<AuditEvent>(listOf(given), [...given.map((filter) => query[filter]), query.limit]);
  },

  /** The email addresses of the accounts and users in these events, by id. Deleted ones are missing. */
  async emails(on: Queryable, events: readonly AuditEvent[]): Promise<ReadonlyMap<string, string>> {
    const ids = idsIn(events, ({ accountId, actorId, targetId }) => [accountId, actorId, targetId]);
    return byId(await on.query<Email>(EMAILS, [ids]));
  },

  /** The email addresses that the account knows of the users in its events, by id. */
  async memberEmails(
    on: Queryable,
    accountId: string,
    events: readonly AuditEvent[],
  ): Promise<ReadonlyMap<string, string>> {
    const ids = idsIn(events, ({ actorId, targetId }) => [actorId, targetId]);
    return byId(await on.query<Email>(MEMBER_EMAILS, [accountId, ids]));
  },

  /** Deletes at most one batch of the oldest events. @returns the number deleted */
  async prune(on: Queryable, maxAgeDays: number, batch: number): Promise<number> {
    const [row] = await on.query<{ deleted: number }>(PRUNE, [maxAgeDays, batch]);
    return row!.deleted;
  },
};
