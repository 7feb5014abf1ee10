import { leaveUnfinishedRestore } from '../app/role/leave-unfinished-restore.js';
import type { AdminCommand } from './administered.js';

/**
 * `migrate`: the schema is up to date already, like before every command. It also ends a restore that was not completed,
 * because it runs before roles start, often as the owner of the tables, which their database user may not be.
 */
export const migrate: AdminCommand = async ({ database }) => {
  await leaveUnfinishedRestore(database, (text) => process.stderr.write(`${text}\n`));
  return { schema: 'up to date' };
};
