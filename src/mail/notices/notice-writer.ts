import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { Database, type Queryable } from '../../infra/database/database.js';
import { livemodeOf } from '../../kernel/accounts/livemode.js';
import type { Role } from '../../kernel/accounts/roles.js';
import type { Language } from '../language.js';
import type { Letter } from '../letter.js';
import { endpointDisabledLetter } from '../letters/endpoint-disabled.letter.js';
import { emailChangedLetter } from '../letters/email-changed.letter.js';
import { signInChangedLetter } from '../letters/sign-in-changed.letter.js';
import { quotaLetter } from '../letters/quota.letter.js';
import { MailOutbox, type OutgoingMail } from '../mail-outbox.js';
import { type AccountNotice, type DueNotice, noticeOf } from './account-notice.js';
import { accountNoticesRepository } from './account-notices.repository.js';
import type { NoticeTopic } from './notification-settings.repository.js';

/** Maximum notices per transaction. */
const BATCH = 20;
/**
 * Maximum notices per day about disabled endpoints of an account: whoever controls an endpoint can disable it at will.
 */
const MAX_ENDPOINT_NOTICES_PER_DAY = 20;

const AUDIENCES: Readonly<
  Record<AccountNotice['kind'], { topic: NoticeTopic | null; roles: readonly Role[] }>
> = {
  quota: { topic: 'quota', roles: ['owner', 'billing'] },
  endpoint_disabled: { topic: 'webhooks', roles: ['owner', 'admin', 'developer'] },
  // Sent only to the user, who cannot turn it off.
  sign_in_changed: { topic: null, roles: [] },
  email_changed: { topic: null, roles: [] },
};

/** Only operators cause these, so they are not limited. */
const BY_OPERATORS: ReadonlySet<string> = new Set<AccountNotice['kind']>([
  'sign_in_changed',
  'email_changed',
]);

/** Converts due notices to emails. One transaction does both, so that each notice is mailed exactly once. */
@Injectable()
export class NoticeWriter {
  constructor(
    private readonly database: Database,
    private readonly outbox: MailOutbox,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @returns the number of notices that were handled */
  async writeDue(): Promise<number> {
    let handled = 0;
    for (;;) {
      const count = await this.database.transaction((tx) => this.writeBatch(tx));
      handled += count;
      if (count < BATCH) return handled;
    }
  }

  private async writeBatch(tx: Queryable): Promise<number> {
    const due = await accountNoticesRepository.take(tx, BATCH);
    const mails: NoticeMail[] = [];
    for (const row of due) {
      const notice = noticeOf(row);
      if (notice !== undefined && !row.isStale && livemodeOf(row.accountId))
        mails.push(...(await this.mailsOf(tx, row, notice)));
    }
    for (const mail of mails.toSorted(byRecipient)) {
      if (BY_OPERATORS.has(mail.kind)) await this.outbox.enqueue(tx, mail);
      else await this.outbox.notify(tx, mail);
    }
    if (due.length > 0)
      await accountNoticesRepository.finish(
        tx,
        due.map(({ id }) => id),
      );
    return due.length;
  }

  private async mailsOf(
    tx: Queryable,
    { accountId, accountName, createdAt }: DueNotice,
    notice: AccountNotice,
  ): Promise<readonly NoticeMail[]> {
    const { kind } = notice;
    if (kind === 'endpoint_disabled') {
      const recent = await accountNoticesRepository.recent(tx, accountId, kind);
      if (recent > MAX_ENDPOINT_NOTICES_PER_DAY) return [];
    }
    const { roles, topic } = AUDIENCES[kind];
    const about = { account: accountName, at: createdAt, publicUrl: this.config.publicUrl };
    const recipients = await accountNoticesRepository.recipients(tx, accountId, roles, topic);
    return recipients.map(({ id, email, language }) => ({
      kind,
      accountId: id,
      to: kind === 'email_changed' ? notice.from : email,
      letter: letterOf(notice, language, about),
    }));
  }
}

type NoticeMail = OutgoingMail & { readonly to: string };

/** Counting locks the count of a recipient and kind. The emails are sorted, so that two dispatchers cannot deadlock. */
const byRecipient = (one: NoticeMail, other: NoticeMail): number =>
  orderOf(one).localeCompare(orderOf(other));

const orderOf = ({ kind, to }: NoticeMail): string => `${kind} ${to}`;

interface Subject {
  /** The account's name. */
  readonly account: string;
  readonly at: Date;
  readonly publicUrl: string;
}

function letterOf(notice: AccountNotice, language: Language, { account, at, publicUrl }: Subject): Letter {
  if (notice.kind === 'quota') return quotaLetter(language, notice, account, publicUrl);
  if (notice.kind === 'endpoint_disabled')
    return endpointDisabledLetter(language, notice, account, publicUrl);
  if (notice.kind === 'email_changed')
    return emailChangedLetter(language, {
      change: 'changed_by_operator',
      newEmail: notice.to,
      at,
      address: null,
      forgottenUrl: `${publicUrl}/forgot-password`,
    });
  return signInChangedLetter(language, notice.change, at, null, `${publicUrl}/account/security`);
}
