import { createTransport } from 'nodemailer';
import type { Mailbox } from '../../config/variables/mailbox.js';
import { plainSignIn } from './plain-sign-in.js';
import { type SmtpOutcome, smtpFailure, withoutSignIn } from './smtp-outcome.js';

export interface SmtpSettings {
  /** `smtp:` or `smtps:`, with user and password if the server needs them. */
  readonly url: string;
  readonly from: Mailbox;
  /** Time limit for connecting and handing an email over, and then again for the response to the complete email. */
  readonly timeoutMs: number;
}

export interface SmtpMessage {
  /** The same for every attempt, so that receivers recognize a duplicate. Becomes part of the Message-ID. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly writtenAt: Date;
}

/** Sends emails through one server, each over its own connection. */
export class SmtpClient {
  constructor(private readonly settings: SmtpSettings) {}

  /** Resolves within twice the timeout, and never rejects. After a timeout, nothing more is sent. */
  async send(message: SmtpMessage): Promise<SmtpOutcome> {
    const { timeoutMs } = this.settings;
    // The client's own timeouts apply to each step, so it would finish an attempt that counts as failed.
    const attempt = new AbortController();
    const timer = setTimeout(() => attempt.abort(), timeoutMs);
    try {
      // A server that has the complete email may deliver it without us, so it gets time of its own to respond.
      const response = await this.deliver(message, attempt.signal, () => timer.refresh());
      return { end: 'accepted', text: response };
    } catch (error) {
      if (attempt.signal.aborted) return { end: 'unanswered', text: `no answer within ${timeoutMs} ms` };
      return smtpFailure(error, message.to);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Connects and signs in without sending anything. @throws Error that explains what went wrong */
  async verify(): Promise<void> {
    try {
      await smtpTransport(this.settings).verify();
    } catch (error) {
      throw new Error(withoutSignIn((error as Error).message), { cause: error });
    }
  }

  /**
   * @param signal closes the connection
   * @param onHandedOver called after the last byte of the email, before the response
   * @returns the response of the server
   */
  private async deliver(
    message: SmtpMessage,
    signal: AbortSignal,
    onHandedOver: () => void,
  ): Promise<string> {
    const { from } = this.settings;
    const to = { name: '', address: message.to };
    const transport = smtpTransport(this.settings);
    transport.use('stream', (mail, done) => {
      mail.message.processFunc((bytes) => bytes.once('end', onHandedOver));
      done();
    });
    const { response } = await transport.sendMail({
      signal,
      from,
      to,
      // As an object, because nodemailer looks for several recipients in a string.
      envelope: { from: from.address, to: [to] },
      messageId: messageIdOf(message.id, from),
      date: message.writtenAt,
      subject: message.subject,
      text: message.text,
      html: message.html,
      // Suppresses vacation replies (RFC 3834).
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
    return response;
  }
}

/** @returns for example `<mail_0197…@example.com>` */
export function messageIdOf(id: string, from: Mailbox): string {
  return `<${id}@${from.address.split('@').at(-1)!}>`;
}

/** Whether the URL of a mail server contains a user. */
export function hasSignIn(url: string): boolean {
  return new URL(url).username !== '';
}

function smtpTransport({ url, timeoutMs }: SmtpSettings) {
  return createTransport({
    url,
    // Otherwise a server that offers no sign-in would get the email without one, and refuse it as that of a stranger.
    forceAuth: hasSignIn(url),
    customAuth: { PLAIN: plainSignIn },
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    // Closes at once instead of sending what is still buffered, which may be the rest of an email that has timed out.
    socketCloseTimeout: 0,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}
