import type { Prepared, Queryable } from '../../infra/database/database.js';
import { type Plan, PLANS } from '../../kernel/plans.js';
import type { PlanRequest, PlanRequestStatus } from './plan-request.js';

export type NewPlanRequest = Pick<PlanRequest, 'id' | 'accountId' | 'plan' | 'note'> & {
  /** The user who makes the request. */
  readonly userId: string;
};

const SELECT = `
  SELECT r.id, r.account_id AS "accountId", coalesce(a.name, a.email) AS "accountName", a.plan AS "currentPlan",
         r.plan, r.note, u.email AS "requestedBy", r.created_at AS "createdAt", r.status,
         r.closed_at AS "closedAt", r.reason
    FROM plan_requests r
    JOIN accounts a ON a.id = r.account_id
    LEFT JOIN accounts u ON u.id = r.requested_by`;

const FIND: Prepared = { name: 'plan_request_find', text: `${SELECT} WHERE r.id = $1` };

const FIND_OPEN: Prepared = {
  name: 'plan_request_find_open',
  text: `${SELECT} WHERE r.account_id = $1 AND r.status = 'open'`,
};

const LATEST: Prepared = {
  name: 'plan_request_latest',
  text: `${SELECT} WHERE r.account_id = $1 ORDER BY r.id COLLATE "C" DESC LIMIT 1`,
};

const LIST_OPEN: Prepared = {
  name: 'plan_request_list_open',
  text: `${SELECT} WHERE r.status = 'open' AND r.id COLLATE "C" > $1 ORDER BY r.id COLLATE "C" LIMIT $2`,
};

const COUNT_TODAY: Prepared = {
  name: 'plan_request_count_today',
  text: `SELECT count(*)::int AS today FROM plan_requests
          WHERE account_id = $1 AND created_at > now() - interval '1 day'`,
};

const INSERT: Prepared = {
  name: 'plan_request_insert',
  text: 'INSERT INTO plan_requests (id, account_id, plan, note, requested_by) VALUES ($1, $2, $3, $4, $5)',
};

const CLOSE: Prepared = {
  name: 'plan_request_close',
  text: `UPDATE plan_requests SET status = $2, closed_at = now(), reason = $3 WHERE id = $1 AND status = 'open'`,
};

const APPROVE_UP_TO: Prepared = {
  name: 'plan_request_approve_up_to',
  text: `UPDATE plan_requests SET status = 'approved', closed_at = now()
          WHERE account_id = $1 AND plan = ANY ($2::text[]) AND status = 'open'`,
};

/** Requests for another plan. Every change locks the account first. */
export const planRequestsRepository = {
  async find(on: Queryable, id: string): Promise<PlanRequest | undefined> {
    return (await on.query<PlanRequest>(FIND, [id]))[0];
  },

  async findOpen(on: Queryable, accountId: string): Promise<PlanRequest | undefined> {
    return (await on.query<PlanRequest>(FIND_OPEN, [accountId]))[0];
  },

  /** The newest request of the account, regardless of its status. */
  async latest(on: Queryable, accountId: string): Promise<PlanRequest | undefined> {
    return (await on.query<PlanRequest>(LATEST, [accountId]))[0];
  },

  /** Open requests of all accounts, oldest first. Only for operators. */
  async listOpen(on: Queryable, afterId: string, limit: number): Promise<PlanRequest[]> {
    return on.query<PlanRequest>(LIST_OPEN, [afterId, limit]);
  },

  /** Requests of the account within a day, regardless of their status. */
  async countToday(on: Queryable, accountId: string): Promise<number> {
    return (await on.query<{ today: number }>(COUNT_TODAY, [accountId]))[0]!.today;
  },

  async insert(tx: Queryable, { id, accountId, plan, note, userId }: NewPlanRequest): Promise<void> {
    await tx.query(INSERT, [id, accountId, plan, note, userId]);
  },

  async close(
    tx: Queryable,
    id: string,
    status: Exclude<PlanRequestStatus, 'open'>,
    reason: string | null = null,
  ): Promise<void> {
    await tx.query(CLOSE, [id, status, reason]);
  },

  /** Approves the open request of an account that was moved to the requested plan or a higher one. */
  async approveUpTo(tx: Queryable, accountId: string, plan: Plan): Promise<void> {
    await tx.query(APPROVE_UP_TO, [accountId, PLANS.slice(0, PLANS.indexOf(plan) + 1)]);
  },
};
