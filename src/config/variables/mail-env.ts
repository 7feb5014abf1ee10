import { type Descriptor, integer, integers, secret, url } from './descriptor.js';
import { mailbox } from './mailbox.js';

/** Mail: the server, the sender, and the retry schedule. */
export const MAIL_DESCRIPTORS = {
  smtpUrl: secret(
    url('SMTP_URL', {
      protocols: ['smtp:', 'smtps:'],
      defaultText: 'no mail is sent',
      text: 'Mail server, with user and password if it needs them, for example `smtp://user:password@mail.example:587`. `smtps:` is TLS from the start; `smtp:` uses STARTTLS when the server offers it, and `?requireTLS=true` insists on it. Only dispatchers use it. See docs/mail.md.',
    }),
  ),
  smtpFrom: mailbox('SMTP_FROM', {
    defaultText: 'no mail is sent',
    text: 'Sender of every email. The service writes emails when this is set.',
  }),
  smtpTimeoutMs: integer('SMTP_TIMEOUT_MS', {
    default: 30_000,
    min: 50,
    max: 300_000,
    text: 'Timeout of one attempt to connect and hand an email over. The server then has the same time again to respond to it.',
  }),
  mailRetryDelaysMs: integers('MAIL_RETRY_DELAYS_MS', {
    // 0 s, 30 s, 2 min, 10 min, 30 min, 1 h, 2 h, 4 h, 8 h, 12 h, 24 h: over two days in all.
    default: [
      0, 30_000, 120_000, 600_000, 1_800_000, 3_600_000, 7_200_000, 14_400_000, 28_800_000, 43_200_000,
      86_400_000,
    ],
    min: 0,
    max: 604_800_000,
    text: 'Delay before each attempt to send an email, including the first; up to 20% of jitter is added. After the last attempt the email is given up.',
  }),
} as const satisfies Record<string, Descriptor<unknown>>;
