import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Where and with what somebody signed in. Null for sessions of the version before. */
export class SessionDevices1733720002000 implements MigrationInterface {
  readonly name = 'SessionDevices1733720002000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sessions ADD COLUMN address text, ADD COLUMN user_agent text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sessions DROP COLUMN address, DROP COLUMN user_agent');
  }
}
