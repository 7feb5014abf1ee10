import type { Queryable } from '../../infra/database/database.js';
import { serviceEvents } from '../../webhooks/events/service-events.js';
import { usageReportsRepository } from './usage-reports.repository.js';

/**
 * Writes `usage.recorded` for the days of an account that were not reported yet, including the current one. For an
 * account that is about to be deleted with its usage.
 */
export async function reportLastUsage(tx: Queryable, accountId: string): Promise<void> {
  if (!(await serviceEvents.isChosen(tx, 'usage.recorded'))) return;
  await usageReportsRepository.start(tx);
  const days = await usageReportsRepository.remaining(tx, accountId);
  await serviceEvents.writeAll(
    tx,
    'usage.recorded',
    days.map((usage) => ({ usage })),
  );
}
