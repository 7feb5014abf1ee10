import { createTransport } from 'nodemailer';
import type { Mailbox } from '../../config/variables/mailbox.js';
import { type SmtpOutcome, smtpFailure } from './smtp-outcome.js';

export interface SmtpSettings {
  /** `smtp:` or `smtps:`, with user and password if the server needs them. */
  readonly url: string;
  readonly from: Mailbox;
  /** Time limit of one attempt, including the connection. */
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
  private readonly transport: ReturnType<typeof smtpTransport>;

  constructor(private readonly settings: SmtpSettings) {
    this.transport = smtpTransport(settings);
  }

  /** Resolves within the timeout, and never rejects. */
  async send(message: SmtpMessage): Promise<SmtpOutcome> {
    const { from, timeoutMs } = this.settings;
    const to = { name: '', address: message.to };
    const sending = this.transport.sendMail({
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
    return within(
      timeoutMs,
      sending.then(
        ({ response }): SmtpOutcome => ({ end: 'accepted', text: response }),
        (error: unknown) => smtpFailure(error, message.to),
      ),
    );
  }

  /** Connects and signs in without sending anything. @throws Error that explains what went wrong */
  async verify(): Promise<void> {
    await this.transport.verify();
  }
}

/** @returns for example `<mail_0197…@example.com>` */
export function messageIdOf(id: string, from: Mailbox): string {
  return `<${id}@${from.address.split('@').at(-1)!}>`;
}

function smtpTransport({ url, timeoutMs }: SmtpSettings) {
  return createTransport({
    url,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** Limits the whole attempt, because the client's own timeouts apply to each step. */
async function within(timeoutMs: number, outcome: Promise<SmtpOutcome>): Promise<SmtpOutcome> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<SmtpOutcome>((resolve) => {
    timer = setTimeout(
      () => resolve({ end: 'unanswered', text: `no answer within ${timeoutMs} ms` }),
      timeoutMs,
    );
  });
  return Promise.race([outcome, timeout]).finally(() => clearTimeout(timer));
}
