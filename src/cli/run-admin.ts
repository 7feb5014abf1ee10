import { userInfo } from 'node:os';
import { asOperator } from '../audit/audit-actor.js';
import { AccountError } from '../auth/account-error.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { ConfigError, readConfig } from '../config/env.js';
import { EmbeddedPostgresError } from '../infra/database/embedded/embedded-postgres-error.js';
import { Database, isDatabaseUnavailable } from '../infra/database/database.js';
import { runMigrations } from '../infra/database/migrate.js';
import { StartError } from '../supervisor/start-error.js';
import { AUDIT_OPTIONS } from './accounts/audit-command.js';
import { ADMIN_COMMANDS, ADMIN_USAGE } from './admin-commands.js';
import { parseArguments, UsageError } from './arguments.js';
import type { CommandAnswer } from './command-answer.js';
import { KEY_OPTIONS } from './accounts/key-options.js';
import { withDatabase } from '../app/role/database-session.js';
import { administeredDatabase } from './administered-database.js';
import { PASSWORD_FLAG } from './accounts/password-input.js';
import { FORCE_FLAG } from './secrets/secrets-commands.js';

const KNOWN = {
  options: ['plan', 'limits', 'name', 'scopes', ...KEY_OPTIONS, ...AUDIT_OPTIONS],
  flags: ['json', 'help', PASSWORD_FLAG, FORCE_FLAG],
} as const;

/**
 * `npm run admin`: works beside a running service, or on its own over the embedded database.
 * @returns exit code: 0 done, 1 refused or no database, 2 the command line cannot be read
 */
export async function runAdmin(argv: readonly string[]): Promise<number> {
  try {
    const given = parseArguments(argv, KNOWN);
    const [noun, verb, ...positionals] = given.positionals;
    if (given.flags.has('help') || noun === undefined) {
      process.stdout.write(`${ADMIN_USAGE}\n`);
      return noun === undefined && !given.flags.has('help') ? 2 : 0;
    }
    const command = ADMIN_COMMANDS[`${noun} ${verb ?? ''}`];
    if (command === undefined) throw new UsageError(`There is no command "${noun} ${verb ?? ''}".`);
    const config = readConfig();
    const answer = await administeredDatabase(config, async (databaseUrl) => {
      await runMigrations(databaseUrl);
      return withDatabase(databaseUrl, (dataSource) => {
        const accounts = new AccountsService(dataSource);
        const administered = { accounts, database: new Database(dataSource), config };
        return asOperator(userInfo().username, () =>
          command(accounts, { ...given, positionals }, administered),
        );
      });
    });
    process.stdout.write(given.flags.has('json') ? `${JSON.stringify(answer)}\n` : asText(answer));
    return 0;
  } catch (error) {
    return report(error);
  }
}

function report(error: unknown): number {
  if (error instanceof UsageError) {
    process.stderr.write(`${error.message}\n\n${ADMIN_USAGE}\n`);
    return 2;
  }
  const known = [AccountError, ConfigError, StartError, EmbeddedPostgresError].some(
    (kind) => error instanceof kind,
  );
  const text = error instanceof Error ? error.message : String(error);
  if (isDatabaseUnavailable(error))
    process.stderr.write(`The database cannot be reached (${text}). Is DATABASE_URL right?\n`);
  else
    process.stderr.write(known ? `${text}\n` : `${error instanceof Error ? (error.stack ?? text) : text}\n`);
  return 1;
}

function asText(answer: CommandAnswer): string {
  const rows = Array.isArray(answer)
    ? (answer as readonly Record<string, unknown>[])
    : [answer as Record<string, unknown>];
  const lines = rows.map((row) =>
    Object.entries(row)
      .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
      .join('\n'),
  );
  return lines.length === 0 ? 'none\n' : `${lines.join('\n\n')}\n`;
}
