import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently, dropIndexConcurrently } from '../concurrent-index.js';

/** Finds the operators among many accounts. Each change of a plan looks them up. */
export class OperatorsIndex1733851000000 implements MigrationInterface {
  readonly name = 'OperatorsIndex1733851000000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(
      runner,
      'accounts_operators',
      'accounts (id) WHERE operator_since IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropIndexConcurrently(runner, 'accounts_operators');
  }
}
