import type { QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../concurrent-index.js';
import type { Migration } from '../migration.js';

const IS_LIVE = `WHERE NOT starts_with(id, 'test_')`;

const INDEXES: readonly (readonly [name: string, definition: string])[] = [
  ['accounts_newest', `accounts (id COLLATE "C" DESC) ${IS_LIVE}`],
  ['accounts_plan', `accounts (plan, id COLLATE "C" DESC) ${IS_LIVE}`],
  ['accounts_suspended', `accounts (id COLLATE "C" DESC) ${IS_LIVE} AND suspended_at IS NOT NULL`],
  ['accounts_email_prefix', `accounts (lower(email) COLLATE "C", id COLLATE "C") ${IS_LIVE}`],
  [
    'accounts_domain_prefix',
    `accounts (split_part(lower(email), '@', 2) COLLATE "C", id COLLATE "C") ${IS_LIVE}`,
  ],
];

/** Lists and searches of accounts in the operator console, each of which reads one range of an index. */
export class AccountSearch1733760001000 implements Migration {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, definition] of INDEXES) await createIndexConcurrently(runner, name, definition);
  }
}
