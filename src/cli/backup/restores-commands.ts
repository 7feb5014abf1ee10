import { auditLog } from '../../audit/audit-log.js';
import type { AdminCommand } from '../administered.js';
import {
  holdNewerObjects,
  listRestores,
  releaseRestores,
} from '../../infra/database/restores/restore-holds.js';

/** `restores list`: lists restores, and which of them still hold newer objects. */
export const showRestores: AdminCommand = async ({ database }) => {
  const rows = await listRestores(database);
  return rows.map(({ id, snapshotAt, restoredAt, releasedAt }) => ({
    id,
    snapshotAt: snapshotAt.toISOString(),
    restoredAt: restoredAt.toISOString(),
    newerObjects: releasedAt === null ? 'held' : `released at ${releasedAt.toISOString()}`,
  }));
};

/** `restores hold`, after a restore by other means, such as point-in-time recovery. */
export function holdObjects(moment: Date): AdminCommand {
  const snapshotAt = moment.toISOString();
  return async ({ database }) => {
    const id = await database.transaction(async (tx) => {
      const held = await holdNewerObjects(tx, moment);
      const details = { snapshotAt };
      await auditLog.record(tx, { action: 'restore.held', accountId: null, targetId: held, details });
      return held;
    });
    return { id, snapshotAt, newerObjects: 'held' };
  };
}

/** `restores release`: from now on, the orphan sweep deletes objects that are newer than the backup, too. */
export const releaseObjects: AdminCommand = ({ database }) =>
  database.transaction(async (tx) => {
    const released = await releaseRestores(tx);
    for (const targetId of released)
      await auditLog.record(tx, { action: 'restore.released', accountId: null, targetId });
    return { released };
  });
