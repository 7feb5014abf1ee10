import type { QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../concurrent-index.js';
import type { Migration } from '../migration.js';

/** Finds the operators among many accounts. Each change of a plan looks them up. */
export class OperatorsIndex1733851000000 implements Migration {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'accounts_operators',
      'accounts (id) WHERE operator_since IS NOT NULL',
    );
  }
}
