import type { QueryRunner } from 'typeorm';
import { PRUNE } from './1733320000000-audit-prune.js';
import { ERASE_ACCOUNT } from './1733720003000-erased-members.js';
import { ERASE_EVENTS } from './1733859002000-audit-erase-batches.js';
import type { Migration } from '../migration.js';

/**
 * Replaces the functions of databases that have them with a clause `SET ies.audit_change`. Only a superuser can create
 * such a function, so a dump of these databases could not be restored on a managed server.
 */
export class AuditFunctions1733859007000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [PRUNE, ERASE_ACCOUNT, ERASE_EVENTS]) await runner.query(statement);
  }
}
