import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { Database, type Queryable } from '../../infra/database/database.js';
import { livemodeOf } from '../../kernel/accounts/livemode.js';
import type { Role } from '../../kernel/accounts/roles.js';
import type { Language } from '../language.js';
import type { Letter } from '../letter.js';
import { endpointDisabledLetter } from '../letters/endpoint-disabled.letter.js';
import { signInChangedLetter } from '../letters/sign-in-changed.letter.js';
import { quotaLetter } from '../letters/quota.letter.js';
import { MailOutbox } from '../mail-outbox.js';
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
};

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
    for (const row of due) {
      const notice = noticeOf(row);
      if (notice !== undefined && !row.isStale && livemodeOf(row.accountId)) await this.mail(tx, row, notice);
    }
    if (due.length > 0)
      await accountNoticesRepository.finish(
        tx,
        due.map(({ id }) => id),
      );
    return due.length;
  }

  private async mail(
    tx: Queryable,
    { accountId, accountName, createdAt }: DueNotice,
    notice: AccountNotice,
  ): Promise<void> {
    const { kind } = notice;
    if (kind === 'endpoint_disabled') {
      const recent = await accountNoticesRepository.recent(tx, accountId, kind);
      if (recent > MAX_ENDPOINT_NOTICES_PER_DAY) return;
    }
    const { roles, topic } = AUDIENCES[kind];
    for (const { id, email, language } of await accountNoticesRepository.recipients(
      tx,
      accountId,
      roles,
      topic,
    )) {
      const about = { account: accountName, at: createdAt, publicUrl: this.config.publicUrl };
      const letter = letterOf(notice, language, about);
      await this.outbox.enqueue(tx, { kind, accountId: id, to: email, letter });
    }
  }
}

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
  return signInChangedLetter(language, notice.change, at, null, `${publicUrl}/account/security`);
}
