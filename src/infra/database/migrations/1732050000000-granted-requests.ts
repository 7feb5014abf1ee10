import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The rate limit now counts several requests of a key at once, so it stores how many it granted, not yes or no. */
export class GrantedRequests1732050000000 implements MigrationInterface {
  readonly name = 'GrantedRequests1732050000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE rate_limits DROP COLUMN allowed, ADD COLUMN granted integer NOT NULL DEFAULT 0`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE rate_limits DROP COLUMN granted, ADD COLUMN allowed boolean NOT NULL DEFAULT true`,
    );
  }
}
