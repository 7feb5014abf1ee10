import type { Config } from '../../config/env.js';
import { hasSignIn, SmtpClient } from '../../infra/mail/smtp-client.js';
import { type Finding, missing, note, ok, reasonOf } from './finding.js';

const AREA = 'mail';
const TIMEOUT_MS = 10_000;

/** Checks that the mail server answers and accepts the sign-in. Sends nothing. */
export async function examineMail({ smtpUrl: url, smtpFrom: from }: Config): Promise<readonly Finding[]> {
  if (from === undefined)
    return [
      note(
        AREA,
        'no mail is sent, so users who forgot their password must ask you',
        'Set SMTP_URL and SMTP_FROM (docs/mail.md).',
      ),
    ];
  if (url === undefined)
    return [
      missing(AREA, 'SMTP_FROM is set without SMTP_URL', 'Set SMTP_URL for the dispatchers (docs/mail.md).'),
    ];
  const { hostname, port } = new URL(url);
  const server = port === '' ? hostname : `${hostname}:${port}`;
  try {
    await new SmtpClient({ url, from, timeoutMs: TIMEOUT_MS }).verify();
    return [ok(AREA, `${server} answers${hasSignIn(url) ? ' and accepts the sign-in' : ''}`)];
  } catch (error) {
    return [
      missing(
        AREA,
        `${server} cannot be used (${reasonOf(error)})`,
        'Check SMTP_URL, and escape special characters in user and password (docs/mail.md).',
      ),
    ];
  }
}
