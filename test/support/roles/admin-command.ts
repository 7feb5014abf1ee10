import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { userInfo } from 'node:os';
import { AccountsService } from '../../../src/accounts/accounts.service.js';
import { withDatabase } from '../../../src/app/role/database-session.js';
import { asOperator } from '../../../src/audit/audit-actor.js';
import { adminProgram } from '../../../src/cli/admin-program.js';
import type { AdminCommand } from '../../../src/cli/administered.js';
import { readCommandLine } from '../../../src/cli/command-line.mjs';
import { readConfig } from '../../../src/config/env.js';
import { Database } from '../../../src/infra/database/database.js';
import { builtProgram } from './flow-build.js';
import { flowEnvironment } from './flow-environment.js';

export interface AdminOutcome {
  readonly code: number;
  /** Both stdout and stderr. */
  readonly output: string;
}

/** Runs the compiled `npm run admin -- … --json`. Needs a build. */
export async function runAdminCommand(
  variables: Readonly<Record<string, string>>,
  ...words: readonly string[]
): Promise<AdminOutcome> {
  const child = spawn(process.execPath, [builtProgram('main.admin.js'), ...words, '--json'], {
    env: flowEnvironment(variables),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [code] = (await once(child, 'close')) as [number];
  return { code, output };
}

/**
 * The JSON output of a command of `npm run admin`. It runs in this process, at a fifth of the CPU of a separate one.
 * @throws UsageError for unknown arguments
 */
export async function adminAnswer(databaseUrl: string, ...words: readonly string[]): Promise<unknown> {
  const chosen: AdminCommand[] = [];
  const program = adminProgram((command) => {
    if (typeof command === 'function') chosen.push(command);
  });
  readCommandLine(program, words);
  const config = readConfig(flowEnvironment({ DATABASE_URL: databaseUrl }));
  const answer = await withDatabase(databaseUrl, (dataSource) => {
    const accounts = new AccountsService(dataSource);
    const administered = { accounts, database: new Database(dataSource), config, databaseUrl };
    return asOperator(userInfo().username, () => chosen[0]!(administered));
  });
  return JSON.parse(JSON.stringify(answer)) as unknown;
}
