import { built } from '../../lib/built.mjs';
import { rolledBack } from './rolled-back.mjs';

const DAY_MS = 86_400_000;
/** Days to keep: old enough that the smallest database contains more than one batch of older rows. */
const DAYS = 100;
const AUDIT_BATCH = 1_000;
/** Nothing waits for a batch, but it holds row locks. */
const LIMIT_MS = 500;

/** @returns one batch of each retention statement, with the limit that applies to it */
export async function retentionQueries({ database }) {
  return [...(await byPlan(database)), ...(await shortLived(database))];
}

async function byPlan(database) {
  const sql = await built('dispatcher/retention/retention.sql.js');
  const { lowestIdOf } = await built('kernel/ids.js');
  const { PLANS } = await built('kernel/plans.js');
  const days = (number) => JSON.stringify(Object.fromEntries(PLANS.map((plan) => [plan, number])));
  const statements = [
    ['jobs', sql.OLD_JOBS, 'job'],
    ['batches', sql.OLD_BATCHES, 'batch'],
    ['sources', sql.OLD_SOURCES, 'source'],
    ['rows of deleted sources', sql.DELETED_SOURCES, 'source'],
    ['ledger', sql.OLD_LEDGER, 'job'],
    ['deliveries', sql.OLD_DELIVERIES, 'delivery'],
    ['events', sql.OLD_EVENTS, 'event'],
  ];
  return statements.flatMap(([name, statement, kind]) => {
    const before = lowestIdOf(kind, Date.now() - DAYS * DAY_MS);
    const batch = (keptDays) => () =>
      rolledBack(database, (tx) => tx.query(statement, ['', before, days(keptDays)]));
    return [
      [`retention: a batch of ${name}`, batch(DAYS), LIMIT_MS],
      [`retention: a batch of ${name} that a longer plan keeps`, batch(36_600), LIMIT_MS],
    ];
  });
}

async function shortLived(database) {
  const sql = await built('dispatcher/retention/short-lived.sql.js');
  const { auditEvents } = await built('audit/audit-events.repository.js');
  const statements = {
    'idempotency keys': (tx) => tx.query(sql.OLD_IDEMPOTENCY_KEYS, [24]),
    sessions: (tx) => tx.query(sql.OLD_SESSIONS),
    'rate limits': (tx) => tx.query(sql.OLD_RATE_LIMITS),
    'daily enhancements': (tx) => tx.query(sql.OLD_ENHANCEMENT_DAYS, [DAYS]),
    'daily storage': (tx) => tx.query(sql.OLD_STORAGE_DAYS, [DAYS]),
    'audit events': (tx) => auditEvents.prune(tx, 365, AUDIT_BATCH),
  };
  return Object.entries(statements).map(([name, work]) => [
    `retention: a batch of ${name}`,
    () => rolledBack(database, work),
    LIMIT_MS,
  ]);
}
