import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { errorLogger } from '../../infra/database/error-logger.js';
import { Notifications } from '../../infra/database/notifications.js';
import { abortWorkAfterMs } from '../../kernel/concurrency/drain.js';
import { WakeableLoop } from '../../kernel/concurrency/wakeable-loop.js';
import { MAIL_CHANNEL } from '../mail-outbox.js';
import { MailSender } from './mail-sender.js';
import { MailsRepository } from './mails.repository.js';

/** Emails that one dispatcher sends concurrently. */
const CONCURRENCY = 4;
/** Maximum delay of an email whose notification was lost. */
const POLL_MS = 5_000;
/** An attempt has the timeout twice: for handing the email over, and for the response. */
const TIMEOUTS_OF_AN_ATTEMPT = 2;
/** Lease time beyond the attempt: for storing the result, and for a busy process. */
const LEASE_MARGIN_MS = 5_000;

/**
 * Claims due mails and sends them. A mail is claimed only when it can be sent immediately. Its lease outlasts the
 * attempt, so another dispatcher takes the mail over after a crash, but never earlier.
 */
@Injectable()
export class MailLoop implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loop = new WakeableLoop(() => this.run(), errorLogger('mail'));
  private readonly underWay = new Set<Promise<void>>();
  private readonly leaseMs: number;
  private unsubscribe: (() => void) | undefined;

  constructor(
    private readonly mails: MailsRepository,
    private readonly sender: MailSender,
    private readonly notifications: Notifications,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    const timeoutMs = config.smtpTimeoutMs;
    this.leaseMs = TIMEOUTS_OF_AN_ATTEMPT * timeoutMs + Math.max(timeoutMs, LEASE_MARGIN_MS);
  }

  onApplicationBootstrap(): void {
    this.unsubscribe = this.notifications.subscribe(MAIL_CHANNEL, () => this.loop.wake());
    this.loop.wake();
  }

  /** Runs before the connections to the database are closed. A mail that is still being sent keeps its lease. */
  async beforeApplicationShutdown(): Promise<void> {
    this.unsubscribe?.();
    await this.loop.end();
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, abortWorkAfterMs(this.config.drainTimeoutMs));
    });
    await Promise.race([Promise.all(this.underWay), patience]);
    clearTimeout(timer);
  }

  private async run(): Promise<number> {
    const free = CONCURRENCY - this.underWay.size;
    // The end of an attempt wakes the loop.
    if (free === 0) return POLL_MS;
    const claimed = await this.mails.claim(free, this.leaseMs);
    for (const mail of claimed) {
      const attempt = this.sender.send(mail, this.leaseMs).finally(() => {
        this.underWay.delete(attempt);
        this.loop.wake();
      });
      this.underWay.add(attempt);
    }
    const dueInMs = (await this.mails.nextDueInMs()) ?? POLL_MS;
    return claimed.length === free ? POLL_MS : Math.min(POLL_MS, Math.max(0, dueInMs));
  }
}
