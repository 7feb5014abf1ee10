import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently, dropIndexConcurrently } from '../concurrent-index.js';

/** The email with which the link of an invitation was sent. */
export class InvitationMails1733805000000 implements MigrationInterface {
  readonly name = 'InvitationMails1733805000000';
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

  async down(runner: QueryRunner): Promise<void> {
    await dropIndexConcurrently(runner, 'invitations_mailed');
    await runner.query('ALTER TABLE invitations DROP COLUMN mail_id');
  }
}
