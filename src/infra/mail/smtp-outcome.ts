/** How an attempt to send an email ended. */
export interface SmtpOutcome {
  /**
   * `accepted`: the server accepted the email. `refused`: it will never accept this email. `deferred`: it responded and
   * may accept the email later. `unanswered`: no connection, no response, or a timeout.
   */
  readonly end: 'accepted' | 'refused' | 'deferred' | 'unanswered';
  /** The server's response or the error, without the recipient's address. */
  readonly text: string;
}

const MAX_TEXT = 300;
/** Responses to these commands are about the email. Others are about the sender or connection; operators can fix it. */
const ABOUT_THE_MAIL: ReadonlySet<string> = new Set(['RCPT TO', 'DATA']);
/** First of the reply codes about authentication (RFC 4954, section 6). */
const FIRST_AUTH_CODE = 530;
const LAST_AUTH_CODE = 538;
/**
 * Enhanced status codes (RFC 3463) of policies, and of the sender's address. Postfix sends them in response to RCPT TO,
 * although they concern the sender or the client: `554 5.7.1 Relay access denied` (`smtpd_delay_reject`).
 */
const ABOUT_THE_SENDER = /^\d{3}[ -]5\.(?:7\.\d{1,3}|1\.[78])\b/;

interface SmtpError {
  readonly message: string;
  readonly code?: string;
  /** The status code of the response, if there was one. */
  readonly responseCode?: number;
  readonly response?: string;
  /** The command to which the server responded; `API` if nothing was sent. */
  readonly command?: string;
}

/** Classifies an error of the mail client. */
export function smtpFailure(error: unknown, recipient: string): SmtpOutcome {
  const { message, code, responseCode, response, command = '' } = error as SmtpError;
  const text = withoutAddress(withoutSignIn(response ?? message), recipient)
    .replaceAll(/\s+/g, ' ')
    .slice(0, MAX_TEXT);
  if (code === 'EENVELOPE' && command === 'API') return { end: 'refused', text };
  if (responseCode === undefined) return { end: 'unanswered', text };
  const isAboutAuth = responseCode >= FIRST_AUTH_CODE && responseCode <= LAST_AUTH_CODE;
  const isAboutUs = isAboutAuth || ABOUT_THE_SENDER.test(response ?? '');
  const isPermanent = responseCode >= 500 && ABOUT_THE_MAIL.has(command) && !isAboutUs;
  return { end: isPermanent ? 'refused' : 'deferred', text };
}

/** Removes user and password, because a server may repeat the command that it refuses. */
export function withoutSignIn(text: string): string {
  return text.replaceAll(/\bAUTH [\w-]+ [\w+/=]+/gi, 'AUTH …');
}

/** Removes the recipient. The client sends domains in lowercase ASCII, so servers may spell the address differently. */
function withoutAddress(text: string, recipient: string): string {
  const mailbox = recipient.slice(0, recipient.lastIndexOf('@') + 1).toLowerCase();
  return text.replaceAll(/[^\s<>"]{1,254}@[^\s<>"]{1,254}/g, (address) =>
    address.toLowerCase().includes(mailbox) ? '…' : address,
  );
}
