/** How an attempt to send an email ended. */
export interface SmtpOutcome {
  /**
   * `accepted`: the server has taken the mail. `refused`: it will never take this mail. `deferred`: it answered, but may
   * take the mail later. `unanswered`: no connection, no answer, or a timeout.
   */
  readonly end: 'accepted' | 'refused' | 'deferred' | 'unanswered';
  /** The answer of the server, or the error, without the address of the recipient. */
  readonly text: string;
}

const MAX_TEXT = 300;
/** Answers to these are about the mail. Others are about the sender or the connection, which an operator can fix. */
const ABOUT_THE_MAIL: ReadonlySet<string> = new Set(['RCPT TO', 'DATA']);
/** The server wants another sign-in (RFC 4954, 6). */
const FIRST_AUTH_CODE = 530;
const LAST_AUTH_CODE = 538;

interface SmtpError {
  readonly message: string;
  readonly code?: string;
  /** The status of the answer, if there was one. */
  readonly responseCode?: number;
  readonly response?: string;
  /** What was answered; `API`: nothing was sent. */
  readonly command?: string;
}

/** What an error of the mail client means. */
export function smtpFailure(error: unknown, recipient: string): SmtpOutcome {
  const { message, code, responseCode, response, command = '' } = error as SmtpError;
  const text = withoutAddress(response ?? message, recipient)
    .replaceAll(/\s+/g, ' ')
    .slice(0, MAX_TEXT);
  if (code === 'EENVELOPE' && command === 'API') return { end: 'refused', text };
  if (responseCode === undefined) return { end: 'unanswered', text };
  const isAboutAuth = responseCode >= FIRST_AUTH_CODE && responseCode <= LAST_AUTH_CODE;
  const isPermanent = responseCode >= 500 && ABOUT_THE_MAIL.has(command) && !isAboutAuth;
  return { end: isPermanent ? 'refused' : 'deferred', text };
}

/** The mail client sends domains in lower case and in ASCII, so servers may repeat the address in another spelling. */
function withoutAddress(text: string, recipient: string): string {
  const mailbox = recipient.slice(0, recipient.lastIndexOf('@') + 1).toLowerCase();
  return text.replaceAll(/[^\s<>"]{1,254}@[^\s<>"]{1,254}/g, (address) =>
    address.toLowerCase().includes(mailbox) ? '…' : address,
  );
}
