import { Logger } from '@nestjs/common';
import { describe, expect, it } from 'vitest';
import type { Config } from '../../config/env.js';
import type { SmtpClient } from '../../infra/mail/smtp-client.js';
import type { SecretBox } from '../../infra/sealing/secret-box.js';
import type { MailMetrics } from '../../infra/telemetry/dispatcher/mail-metrics.js';
import type { ClaimedMail } from './claimed-mail.js';
import { MailSender } from './mail-sender.js';
import type { MailSettlement } from './mail-settlement.js';
import type { MailsRepository } from './mails.repository.js';

Logger.overrideLogger(false);

const MAIL: ClaimedMail = {
  id: 'mail_1',
  claim: 1,
  kind: 'verify-email',
  to: 'ann@example.com',
  sealedContent: Buffer.alloc(0),
  attempts: 0,
  // Nothing is sent, so the sender needs no mail server.
  isExpired: true,
  createdAt: new Date(),
};

/** Sends the mail. @returns the outcomes that were stored, and how often it was tried */
async function send(failures: readonly Error[]): Promise<{ stored: string[]; tries: number }> {
  const stored: string[] = [];
  let tries = 0;
  const mails = {
    record: (_: ClaimedMail, { status }: MailSettlement): Promise<boolean> => {
      const failure = failures[(tries += 1) - 1];
      if (failure !== undefined) return Promise.reject(failure);
      stored.push(status);
      return Promise.resolve(true);
    },
  };
  const metrics = { ended: () => undefined };
  const sender = new MailSender(
    {} as SmtpClient,
    mails as unknown as MailsRepository,
    metrics as unknown as MailMetrics,
    {} as SecretBox,
    {} as Config,
  );
  await sender.send(MAIL, 10_000);
  return { stored, tries };
}

describe('the outcome of an email', () => {
  it.each([
    ['a deadlock', '40P01'],
    ['a statement that took too long', '57014'],
    ['a database that restarts', '57P01'],
  ])('is stored after %s, since the email would otherwise be sent again', async (_, code) => {
    expect(await send([Object.assign(new Error('no'), { code })])).toEqual({ stored: ['expired'], tries: 2 });
  });

  it('is given up after an error that would occur again', async () => {
    const failure = Object.assign(new Error('no such column'), { code: '42703' });
    expect(await send([failure, failure])).toEqual({ stored: [], tries: 1 });
  });
});
