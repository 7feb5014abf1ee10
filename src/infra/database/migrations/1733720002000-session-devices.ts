import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** The address and the browser of a session. Null for sessions of the previous version. */
export class SessionDevices1733720002000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sessions ADD COLUMN address text, ADD COLUMN user_agent text');
  }
}
