import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** The rate limit now counts several requests of a key at once, so it stores how many it granted, not yes or no. */
export class GrantedRequests1732050000000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE rate_limits DROP COLUMN allowed, ADD COLUMN granted integer NOT NULL DEFAULT 0`,
    );
  }
}
