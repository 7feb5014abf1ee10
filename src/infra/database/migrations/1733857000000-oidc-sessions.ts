import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The session of the browser that begins a sign-in with the provider, which ends with that sign-in. Its cookie is not
 * sent when the browser comes back: the provider is another site. Null without a session, and by the previous version.
 */
export class OidcSessions1733857000000 implements MigrationInterface {
  readonly name = 'OidcSessions1733857000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE oidc_requests ADD COLUMN session_hash bytea');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE oidc_requests DROP COLUMN session_hash');
  }
}
