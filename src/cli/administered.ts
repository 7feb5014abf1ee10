import type { AccountsService } from '../accounts/accounts.service.js';
import type { Config } from '../config/env.js';
import type { Database } from '../infra/database/database.js';

/** What the commands of `npm run admin` work on. */
export interface Administered {
  readonly accounts: AccountsService;
  readonly database: Database;
  readonly config: Config;
}

/** What a command answers: an object, or rows of a table. */
export type CommandAnswer = Readonly<Record<string, unknown>> | readonly Readonly<Record<string, unknown>>[];

/** A command whose arguments have been read. */
export type AdminCommand = (administered: Administered) => Promise<CommandAnswer>;

/** A command on the database as a whole, which does not bring its schema up to date first. */
export interface DatabaseCommand {
  /** @param databaseUrl without a pooler */
  readonly onDatabase: (config: Config, databaseUrl: string) => Promise<CommandAnswer>;
}
