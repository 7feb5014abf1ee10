import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The session of the browser that starts a sign-in with the provider. The sign-in ends that session. It is stored,
 * because the browser does not send its cookie when it returns from the provider, which is another site. Null without a
 * session, and in rows of the previous version.
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
