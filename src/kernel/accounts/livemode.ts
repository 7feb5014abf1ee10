import { ID_PREFIXES } from '../ids.js';
import type { PlanLimits } from '../plans.js';

/**
 * Test mode. What an account creates with test keys belongs to a second account row, whose id is derived from the
 * first. Every query by account therefore keeps the modes apart.
 */
export function testAccountOf(accountId: string): string {
  return accountId.replace(`${ID_PREFIXES.account}_`, `${ID_PREFIXES.testAccount}_`);
}

/** False for what belongs to the test mode of an account. */
export function livemodeOf(accountId: string): boolean {
  return !accountId.startsWith(`${ID_PREFIXES.testAccount}_`);
}

/** The same in SQL: whether the id in `column` is that of a test mode. */
export const isTestAccountSql = (column: string): string =>
  `starts_with(${column}, '${ID_PREFIXES.testAccount}_')`;

/** Limits of test mode, whatever the plan. Test jobs cost no enhancements, so their quota is never used up. */
export const TEST_LIMITS: PlanLimits = {
  rpm: 120,
  enhancements: 1_000_000,
  storageBytes: 512 * 2 ** 20,
  keys: 5,
};

/** Test jobs of one account that may wait at the same time: one whole batch. */
export const MAX_QUEUED_TEST_JOBS = 1_000;

/** How long uploads and results of test mode are kept, seconds. */
export const TEST_PIXELS_SECONDS = 86_400;

/** How long finished jobs of test mode are kept, seconds. */
export const TEST_JOBS_SECONDS = 7 * 86_400;
