import { systemUser } from './system-user.js';
import { asOperator } from '../audit/audit-actor.js';
import { AccountError } from '../auth/account-error.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { ConfigError, readConfig } from '../config/env.js';
import { EmbeddedPostgresError } from '../infra/database/embedded/embedded-postgres-error.js';
import { AppError } from '../kernel/app-error.js';
import { Database } from '../infra/database/database.js';
import { runMigrations } from '../infra/database/migrate.js';
import { StartError } from '../roles/start-error.js';
import { withDatabase } from '../app/role/database-session.js';
import { adminProgram } from './admin-program.js';
import type { AdminCommand, DatabaseCommand } from './administered.js';
import { administeredDatabase } from './administered-database.js';
import { answerText } from './answer-text.js';
import { BackupError } from './backup/backup-error.js';
import { type CommandLine, readCommandLine, UsageError, usageFault } from './command-line.mjs';
import { errorText } from '../kernel/errors/error-text.js';
import {
  connectionRefusal,
  isDatabaseUnavailable,
  missingRights,
  UnconfirmedCommit,
} from '../infra/database/database-errors.js';

/**
 * Runs `npm run admin`, whether or not the service is running. Starts the embedded database if necessary.
 * @returns exit code: 0 success; 1 rejected, no database, or an unknown outcome; 2 invalid arguments
 */
export async function runAdmin(argv: readonly string[]): Promise<number> {
  const chosen: (AdminCommand | DatabaseCommand)[] = [];
  const program = adminProgram((command) => chosen.push(command));
  try {
    if (!readCommandLine(program, argv)) return 0;
    const command = chosen[0]!;
    const config = readConfig();
    const answer = await administeredDatabase(config, async (databaseUrl) => {
      if (typeof command !== 'function')
        return asOperator(systemUser(), () => command.onDatabase(config, databaseUrl));
      await runMigrations(databaseUrl);
      return withDatabase(databaseUrl, (dataSource) => {
        const accounts = new AccountsService(dataSource);
        const administered = { accounts, database: new Database(dataSource), config, databaseUrl };
        return asOperator(systemUser(), () => command(administered));
      });
    });
    if (answer !== null)
      process.stdout.write(
        program.opts()['json'] === true ? `${JSON.stringify(answer)}\n` : answerText(answer),
      );
    return 0;
  } catch (error) {
    return report(program, error);
  }
}

function report(program: CommandLine, error: unknown): number {
  if (error instanceof UsageError) {
    process.stderr.write(usageFault(program, error));
    return 2;
  }
  const known = [AccountError, AppError, BackupError, ConfigError, StartError, EmbeddedPostgresError].some(
    (kind) => error instanceof kind,
  );
  const text = errorText(error);
  const refusal = connectionRefusal(error) ?? missingRights(error);
  if (error instanceof UnconfirmedCommit)
    process.stderr.write(
      'The connection broke while the change was being stored, so it may or may not have been made. Check before you repeat the command.\n',
    );
  else if (refusal !== undefined) process.stderr.write(`${refusal}\n`);
  else if (isDatabaseUnavailable(error))
    process.stderr.write(`The database cannot be reached (${text}). Check DATABASE_URL.\n`);
  else
    process.stderr.write(known ? `${text}\n` : `${error instanceof Error ? (error.stack ?? text) : text}\n`);
  return 1;
}
