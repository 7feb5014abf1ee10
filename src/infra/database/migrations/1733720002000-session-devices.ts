import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The address and the browser of a session. Null for sessions of the previous version. */
export class SessionDevices1733720002000 implements MigrationInterface {
  readonly name = 'SessionDevices1733720002000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sessions ADD COLUMN address text, ADD COLUMN user_agent text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sessions DROP COLUMN address, DROP COLUMN user_agent');
  }
}
