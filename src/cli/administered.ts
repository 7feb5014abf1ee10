import type { AccountsService } from '../accounts/accounts.service.js';
import type { Config } from '../config/env.js';
import type { Database } from '../infra/database/database.js';

/** The context of the commands of `npm run admin`. */
export interface Administered {
  readonly accounts: AccountsService;
  readonly database: Database;
  readonly config: Config;
  /** Without a pooler. */
  readonly databaseUrl: string;
}

/** The output of a command: an object, the rows of a table, or a text; null when the command has printed it. */
export type CommandAnswer =
  | Readonly<Record<string, unknown>>
  | readonly Readonly<Record<string, unknown>>[]
  | Printed
  | null;

/** Printed as it is; with `--json`, `value` is printed instead. */
export class Printed {
  constructor(
    readonly text: string,
    readonly value: unknown,
  ) {}

  toJSON(): unknown {
    return this.value;
  }
}

/** A command with parsed arguments. */
export type AdminCommand = (administered: Administered) => Promise<CommandAnswer>;

/** A command that works on the whole database and does not migrate its schema first. */
export interface DatabaseCommand {
  /** @param databaseUrl without a pooler */
  readonly onDatabase: (config: Config, databaseUrl: string) => Promise<CommandAnswer>;
}

/** Called with the parsed command. */
export type Choose = (command: AdminCommand | DatabaseCommand) => void;

/** An object as the output of a command. */
export function answerOf(value: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(value));
}
