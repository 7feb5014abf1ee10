import type { QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../concurrent-index.js';
import type { Migration } from '../migration.js';

/** The email with which the link of an invitation was sent. */
export class InvitationMails1733805000000 implements Migration {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // Without a foreign key: the row of an email is deleted earlier than that of the invitation.
    await runner.query('ALTER TABLE invitations ADD COLUMN IF NOT EXISTS mail_id text');
    await createIndexConcurrently(
      runner,
      'invitations_mailed',
      'invitations (lower(email), created_at) WHERE mail_id IS NOT NULL',
    );
  }
}
