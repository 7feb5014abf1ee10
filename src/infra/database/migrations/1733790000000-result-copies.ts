import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Objects that a request copies before it inserts the jobs that own them. */
export class ResultCopies1733790000000 implements MigrationInterface {
  readonly name = 'ResultCopies1733790000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE result_copies (
         object_key text PRIMARY KEY,
         created_at timestamptz NOT NULL DEFAULT now()
       )`,
    );
    await runner.query('CREATE INDEX result_copies_created ON result_copies (created_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE result_copies');
  }
}
