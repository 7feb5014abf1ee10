import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/**
 * Organizations that a user creates: accounts with a name, whose primary owner is another account. That owner also has a
 * membership, so the previous version treats them like any organization with members.
 */
export class Organizations1733730001000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE accounts
        ADD COLUMN name text,
        ADD COLUMN owner_id text REFERENCES accounts,
        ADD CONSTRAINT accounts_organization CHECK ((name IS NULL) = (owner_id IS NULL))`);
    await runner.query('CREATE INDEX accounts_owner ON accounts (owner_id) WHERE owner_id IS NOT NULL');
  }
}
