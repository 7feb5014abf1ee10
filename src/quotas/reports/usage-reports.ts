import { Injectable } from '@nestjs/common';
import { Database, type Queryable } from '../../infra/database/database.js';
import { serviceEvents } from '../../webhooks/events/service-events.js';
import { ACCOUNTS_PER_PAGE, usageReportsRepository } from './usage-reports.repository.js';

/** Pages of one round. The next round continues. */
const MAX_PAGES = 20;

/**
 * Writes `usage.recorded` for each account and day with usage. The position moves in the transaction that writes the
 * events, so that each is written once, whatever number of dispatchers run and wherever one is killed.
 */
@Injectable()
export class UsageReports {
  constructor(private readonly database: Database) {}

  /** Does nothing while no operator has chosen the event. */
  async writeDue(): Promise<void> {
    if (!(await serviceEvents.isChosen(this.database, 'usage.recorded'))) return;
    await usageReportsRepository.start(this.database);
    for (let pages = 0; pages < MAX_PAGES; pages += 1)
      if (!(await this.database.transaction((tx) => this.writePage(tx)))) return;
  }

  /** @returns whether there may be more */
  private async writePage(tx: Queryable): Promise<boolean> {
    const position = await usageReportsRepository.take(tx);
    if (position === undefined) return false;
    const { day } = position;
    const accounts = await usageReportsRepository.page(tx, position);
    const used = accounts.filter(({ enhancements }) => enhancements > 0);
    const data = used.map((usage) => ({ usage: { ...usage, day } }));
    await serviceEvents.writeAll(tx, 'usage.recorded', data);
    const last = accounts.length < ACCOUNTS_PER_PAGE ? null : accounts.at(-1)!.accountId;
    await usageReportsRepository.move(tx, position, last);
    return true;
  }
}
