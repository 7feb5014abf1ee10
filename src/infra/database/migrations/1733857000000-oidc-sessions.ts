import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/**
 * The session of the browser that starts a sign-in with the provider. The sign-in ends that session. It is stored,
 * because the browser does not send its cookie when it returns from the provider, which is another site. Null without a
 * session, and in rows of the previous version.
 */
export class OidcSessions1733857000000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE oidc_requests ADD COLUMN session_hash bytea');
  }
}
