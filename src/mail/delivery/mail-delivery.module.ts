import { type DynamicModule, Module } from '@nestjs/common';
import type { Config } from '../../config/env.js';
import { SmtpClient } from '../../infra/mail/smtp-client.js';
import { MailMetrics } from '../../infra/telemetry/dispatcher/mail-metrics.js';
import { Metrics } from '../../infra/telemetry/metrics.js';
import { MAIL_KINDS } from '../mail-kinds.js';
import { MailLoop } from './mail-loop.js';
import { MailSender } from './mail-sender.js';
import { MailOutbox } from '../mail-outbox.js';
import { NoticeLoop } from '../notices/notice-loop.js';
import { NoticeWriter } from '../notices/notice-writer.js';
import { MailsRepository } from './mails.repository.js';

/** The dispatcher's email delivery, and the conversion of notices to emails. */
@Module({})
export class MailDeliveryModule {
  /** Empty without `SMTP_FROM`. @throws Error when only `SMTP_FROM` is set */
  static for({ smtpUrl: url, smtpFrom: from, smtpTimeoutMs: timeoutMs }: Config): DynamicModule {
    if (from === undefined) return { module: MailDeliveryModule };
    if (url === undefined)
      throw new Error(
        'SMTP_FROM is set without SMTP_URL, so the dispatcher cannot send email. Set SMTP_URL, or remove SMTP_FROM (see docs/mail.md).',
      );
    return {
      module: MailDeliveryModule,
      providers: [
        MailsRepository,
        {
          provide: MailMetrics,
          inject: [Metrics, MailsRepository],
          useFactory: (metrics: Metrics, mails: MailsRepository) =>
            new MailMetrics(metrics, () => mails.backlog(), MAIL_KINDS),
        },
        { provide: SmtpClient, useFactory: () => new SmtpClient({ url, from, timeoutMs }) },
        MailSender,
        MailLoop,
        MailOutbox,
        NoticeWriter,
        NoticeLoop,
      ],
    };
  }
}
