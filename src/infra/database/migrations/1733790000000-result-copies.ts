import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** Objects that a request copies before it inserts the jobs that own them. */
export class ResultCopies1733790000000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE result_copies (
         object_key text PRIMARY KEY,
         created_at timestamptz NOT NULL DEFAULT now()
       )`,
    );
    await runner.query('CREATE INDEX result_copies_created ON result_copies (created_at)');
  }
}
