import type { QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../concurrent-index.js';
import type { Migration } from '../migration.js';

const INDEXES: readonly (readonly [name: string, definition: string])[] = [
  ['audit_events_account_group', `audit_events (account_id, split_part(action, '.', 1), id)`],
  ['audit_events_group', `audit_events (split_part(action, '.', 1), id)`],
  ['audit_events_created', 'audit_events (created_at)'],
];

/** Each list of the audit log reads one index range, no matter how many other events there are. */
export class AuditListIndexes1733330000000 implements Migration {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, definition] of INDEXES) await createIndexConcurrently(runner, name, definition);
  }
}
