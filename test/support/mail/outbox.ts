import { SecretBox } from '../../../src/infra/sealing/secret-box.js';
import type { MailContent } from '../../../src/mail/letter.js';
import type { Harness } from '../app/harness.js';

export interface WrittenMail extends MailContent {
  readonly kind: string;
  readonly accountId: string | null;
}

interface Row {
  readonly id: string;
  readonly kind: string;
  readonly accountId: string | null;
  readonly sealed: Buffer;
}

/** The emails to an address that wait for a dispatcher, oldest first. */
export async function mailsTo(harness: Harness, address: string): Promise<WrittenMail[]> {
  const rows = await harness.rows<Row>(
    `SELECT id, kind, account_id AS "accountId", sealed_content AS sealed FROM mails
      WHERE recipient = $1 AND status = 'pending' ORDER BY id`,
    [address],
  );
  const box = harness.app.get(SecretBox);
  return rows.map(({ id, kind, accountId, sealed }) => {
    const content = JSON.parse(box.open(sealed, id)) as MailContent;
    return Object.assign(content, { kind, accountId });
  });
}

/** Sets all emails back by more than an hour, after which they no longer count. */
export async function mailedEarlier(harness: Harness): Promise<void> {
  await harness.rows(
    `UPDATE mail_limits SET sent_at = ARRAY(SELECT at - interval '61 minutes' FROM unnest(sent_at) AS at)`,
  );
}
