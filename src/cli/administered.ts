import type { AccountsService } from '../accounts/accounts.service.js';
import type { Config } from '../config/env.js';
import type { Database } from '../infra/database/database.js';

/** The context of the commands of `npm run admin`. */
export interface Administered {
  readonly accounts: AccountsService;
  readonly database: Database;
  readonly config: Config;
}

/** The output of a command: an object, or the rows of a table. */
export type CommandAnswer = Readonly<Record<string, unknown>> | readonly Readonly<Record<string, unknown>>[];

/** A command with parsed arguments. */
export type AdminCommand = (administered: Administered) => Promise<CommandAnswer>;

/** A command that works on the whole database and does not migrate its schema first. */
export interface DatabaseCommand {
  /** @param databaseUrl without a pooler */
  readonly onDatabase: (config: Config, databaseUrl: string) => Promise<CommandAnswer>;
}
