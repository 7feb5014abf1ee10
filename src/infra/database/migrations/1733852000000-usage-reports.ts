import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** How far the usage of accounts has been sent to billing systems. */
export class UsageReports1733852000000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    // One row. day is the next day to send; after_account is the last account of that day that was sent.
    await runner.query(`
      CREATE TABLE usage_reports (
        id boolean PRIMARY KEY DEFAULT true CHECK (id),
        day date NOT NULL,
        after_account text NOT NULL DEFAULT ''
      )`);
  }
}
