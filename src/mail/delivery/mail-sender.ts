import { Inject, Injectable, Logger } from '@nestjs/common';
import { retryWhile } from '../../kernel/concurrency/retry-while.js';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { SmtpClient } from '../../infra/mail/smtp-client.js';
import type { SmtpOutcome } from '../../infra/mail/smtp-outcome.js';
import { SecretBox } from '../../infra/sealing/secret-box.js';
import { MailMetrics } from '../../infra/telemetry/dispatcher/mail-metrics.js';
import { type ClaimedMail, contentOf } from './claimed-mail.js';
import { EXPIRED, type MailSettlement, settleMail } from './mail-settlement.js';
import { MailsRepository } from './mails.repository.js';
import { isRepeatable } from '../../infra/database/database-errors.js';

const PAUSE_MS = 500;

/** Sends a claimed email and stores the outcome. */
@Injectable()
export class MailSender {
  private readonly logger = new Logger('mail');

  constructor(
    private readonly smtp: SmtpClient,
    private readonly mails: MailsRepository,
    private readonly metrics: MailMetrics,
    private readonly box: SecretBox,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Never rejects. If the result cannot be stored, the mail is sent again when its lease ends. */
  async send(mail: ClaimedMail, leaseMs: number): Promise<void> {
    const leaseEndsMs = performance.now() + leaseMs;
    try {
      const settlement = mail.isExpired ? EXPIRED : await this.attempt(mail);
      if (await this.record(mail, settlement, leaseEndsMs)) this.report(mail, settlement);
    } catch (error) {
      this.logger.error(
        { mail: mail.id, error: String(error) },
        'the result of an email could not be stored',
      );
    }
  }

  private async attempt(mail: ClaimedMail): Promise<MailSettlement> {
    const startMs = performance.now();
    const outcome = await this.outcomeOf(mail);
    this.metrics.attempt(outcome.end, (performance.now() - startMs) / 1_000);
    return settleMail(outcome, mail.attempts + 1, this.config.mailRetryDelaysMs, Math.random());
  }

  private async outcomeOf({ id, to, sealedContent, createdAt }: ClaimedMail): Promise<SmtpOutcome> {
    let content;
    try {
      content = contentOf(this.box.open(sealedContent, id));
    } catch (error) {
      // Retry, because the sealing key may be restored.
      return { end: 'unanswered', text: String(error) };
    }
    return this.smtp.send({ id, to, ...content, writtenAt: createdAt });
  }

  private record(mail: ClaimedMail, settlement: MailSettlement, endMs: number): Promise<boolean> {
    const limitMs = endMs - performance.now();
    return retryWhile({ isTransient: isRepeatable, pauseMs: PAUSE_MS, limitMs }, () =>
      this.mails.record(mail, settlement),
    );
  }

  private report({ id, kind, attempts }: ClaimedMail, { status, error, nextInMs }: MailSettlement): void {
    const fields = { mail: id, kind, attempts: attempts + 1, error };
    if (status === 'pending')
      this.logger.warn(
        { ...fields, nextInMs: Math.round(nextInMs!) },
        'could not send an email; trying again',
      );
    else {
      this.metrics.ended(kind, status);
      if (status === 'sent') this.logger.debug({ mail: id, kind }, 'sent an email');
      else this.logger.error({ ...fields, end: status }, 'an email will not be sent');
    }
  }
}
