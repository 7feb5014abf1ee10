import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { auditEvents } from '../../audit/audit-events.repository.js';
import { auditLog } from '../../audit/audit-log.js';
import { lockAccount } from '../../auth/account-lock.js';
import { Passwords } from '../../auth/passwords/passwords.js';
import { requireCurrentRole } from '../../auth/sessions/current-role.js';
import type { Session } from '../../auth/sessions/session.js';
import { Database, type Queryable } from '../../infra/database/database.js';
import { AppError } from '../../kernel/app-error.js';
import { UsageExport } from '../../quotas/export/usage-export.js';
import { accountExport } from './account-export.js';
import { exportLink, type ExportLinkParts, isExportLink } from './export-link.js';

/** Downloads that an account can start within an hour. */
export const MAX_EXPORTS_PER_HOUR = 5;

const HOUR_MS = 3_600_000;

/** Lets owners download what is stored about their account. */
@Injectable()
export class AccountExports {
  constructor(
    private readonly passwords: Passwords,
    private readonly usage: UsageExport,
    private readonly database: Database,
  ) {}

  /**
   * @returns the path of the download
   * @throws AppError `wrong_password`, `too_many_attempts`
   */
  async link(session: Session, password: string): Promise<string> {
    await this.passwords.confirm(session.user.id, password);
    await requireFewExports(this.database, session.account.id);
    return exportLink(session, Date.now());
  }

  /** @throws AppError `link_not_valid` */
  requireLink(session: Session, link: ExportLinkParts): void {
    if (!isExportLink(session, link, Date.now())) throw new AppError('link_not_valid');
  }

  /**
   * Records a download, and starts it. The stream breaks off when the database fails.
   * @throws AppError `too_many_attempts`, `not_signed_in`, `insufficient_role`
   */
  async start(session: Session): Promise<Readable> {
    const accountId = session.account.id;
    await this.database.transaction(async (tx) => {
      // Concurrent downloads count each other.
      await lockAccount(tx, accountId);
      await requireCurrentRole(tx, session, 'account:export');
      await requireFewExports(tx, accountId);
      await auditLog.record(tx, { action: 'account.exported', accountId });
    });
    const source = { on: this.database.lists, usage: this.usage };
    return Readable.from(accountExport(source, session), { objectMode: false });
  }
}

/** @throws AppError `too_many_attempts` */
async function requireFewExports(on: Queryable, accountId: string): Promise<void> {
  const since = new Date(Date.now() - HOUR_MS);
  const limit = MAX_EXPORTS_PER_HOUR;
  const recent = await auditEvents.list(on, { accountId, action: 'account.exported', since, limit });
  if (recent.length < MAX_EXPORTS_PER_HOUR) return;
  const freeAtMs = recent.at(-1)!.createdAt.getTime() + HOUR_MS;
  throw new AppError('too_many_attempts', {
    detail: `The data of an account can be downloaded ${MAX_EXPORTS_PER_HOUR} times an hour. Try again later.`,
    retryAfterSeconds: Math.max(1, Math.ceil((freeAtMs - Date.now()) / 1_000)),
  });
}
