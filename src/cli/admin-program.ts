import { invocationOf } from './invocation.js';
import { DEFAULT_SCOPES, SCOPES } from '../kernel/scopes.js';
import { PLANS } from '../kernel/plans.js';
import { ROLES } from '../kernel/accounts/roles.js';
import {
  addMember,
  createAccount,
  issueResetLink,
  listAccounts,
  setAccountEmail,
  setAccountPassword,
  setAccountPlan,
  setResultCache,
  showAccount,
} from './accounts/account-commands.js';
import { addAccountOperations } from './accounts/account-operations-program.js';
import { createKey, listKeys, revokeKey } from './accounts/key-commands.js';
import { dayOption, exportUsage } from './accounts/usage-command.js';
import { instantAfterNow, networksOption, spanAfterNow } from './accounts/key-options.js';
import { addPlanRequestCommands } from './accounts/plan-request-commands.js';
import { limitsOption, planArgument } from './accounts/plan-options.js';
import type { Choose } from './administered.js';
import { OBJECT_MODES } from './backup/backup-manifest.js';
import { backUp } from './backup/backup.js';
import { restore } from './backup/restore.js';
import { momentArgument } from './backup/moment-argument.js';
import { holdObjects, releaseObjects, showRestores } from './backup/restores-commands.js';
import { type CommandLine, choiceOption, commandLine, listOption } from './command-line.mjs';
import { migrate } from './migrate-command.js';
import { addFailureCommands } from './operator/failure-commands.js';
import { addAuditCommands } from './accounts/audit-program.js';
import { addConsoleCommands } from './operator/console-program.js';
import { grantOperator, listOperators, revokeOperator, showOverview } from './operator/operator-commands.js';
import { retireSecrets, rotateSecrets, secretsStatus } from './secrets/secrets-commands.js';

const ACCOUNT = ['<account>', 'id or email address'] as const;
const LIMITS = [
  '--limits <list>',
  "limits in place of the plan's, such as rpm=1200,enhancements=100000,storageBytes=5e9,keys=20; required for enterprise, where limits left out are those of business",
  limitsOption,
] as const;
const PASSWORD = ['--password-stdin', 'read the password from standard input'] as const;

/**
 * The command line of `npm run admin`.
 * @param choose called with the parsed command
 */
export function adminProgram(choose: Choose): CommandLine {
  const program = commandLine(
    invocationOf('admin'),
    'Manages accounts, keys and secrets, also while the service is running. Exit code 1: refused, no database, or outcome unknown; 2: wrong arguments.',
  )
    .usage('<command> [options]')
    .option('--json', 'print the result as JSON');
  const account = program.command('account').description('accounts and their plans');
  addAccountCommands(account, choose);
  addAccountOperations(account, choose);
  addPlanRequestCommands(account, choose);
  addKeyCommands(program.command('key').description('API keys'), choose);
  addSecretsCommands(program.command('secrets').description('the keys that sign and seal'), choose);
  addAuditCommands(program, choose);
  addOperatorCommands(
    program.command('operator').description('accounts that may use the operator console'),
    choose,
  );
  addFailureCommands(program, choose);
  program
    .command('overview')
    .description('show the load of jobs, queues, workers, database and webhooks')
    .action(() => choose(showOverview));
  addConsoleCommands(program, choose);
  addBackupCommands(program, choose);
  program
    .command('migrate')
    .description(
      'bring the database schema up to date (every command except backup and restore does this first)',
    )
    .action(() => choose(migrate));
  return program;
}

function addAccountCommands(account: CommandLine, choose: Choose): void {
  account
    .command('create')
    .description('create an account and its first key')
    .argument('<email>', 'email address')
    .addOption(choiceOption('--plan <name>', 'plan', PLANS).default('free'))
    .option(...LIMITS)
    .option(...PASSWORD)
    .action((email, options) => choose(createAccount(email, options)));
  account
    .command('set-password')
    .description('set a new password and end all sessions')
    .argument(...ACCOUNT)
    .requiredOption(...PASSWORD)
    .action((id) => choose(setAccountPassword(id)));
  account
    .command('set-email')
    .description('change the email address that a user signs in with, and end all sessions')
    .argument(...ACCOUNT)
    .argument('<email>', 'the new address')
    .action((id, email) => choose(setAccountEmail(id, email)));
  account
    .command('reset-link')
    .description('print a single-use link for setting a new password, valid for one hour')
    .argument(...ACCOUNT)
    .action((id) => choose(issueResetLink(id)));
  account
    .command('list')
    .description('list all accounts')
    .action(() => choose(listAccounts));
  account
    .command('show')
    .description('show one account')
    .argument(...ACCOUNT)
    .action((id) => choose(showAccount(id)));
  account
    .command('usage')
    .description('print enhancements by day, key and operation as CSV')
    .argument(...ACCOUNT)
    .option('--from <day>', 'the first day (UTC); default: 29 days before --to', dayOption('--from'))
    .option('--to <day>', 'the last day (UTC); default: today', dayOption('--to'))
    .action((id, options) => choose(exportUsage(id, options)));
  account
    .command('set-plan')
    .description('move an account to another plan')
    .argument(...ACCOUNT)
    .argument('[plan]', PLANS.join(', '), planArgument)
    .addOption(choiceOption('--plan <name>', 'the plan, instead of the argument', PLANS))
    .option(...LIMITS)
    .action((id, plan, options) => choose(setAccountPlan(id, plan, options)));
  account
    .command('set-result-cache')
    .description('whether jobs may get the results of earlier, equal ones')
    .argument(...ACCOUNT)
    .argument('<on|off>')
    .action((id, value) => choose(setResultCache(id, value)));
  account
    .command('add-member')
    .description('add the user of another account as a member of this one')
    .argument(...ACCOUNT)
    .argument('<user>', 'id or email address of the user')
    .addOption(choiceOption('--role <name>', 'what the user may do', ROLES).default('developer'))
    .action((id, user, options) => choose(addMember(id, user, options)));
}

function addKeyCommands(key: CommandLine, choose: Choose): void {
  key
    .command('create')
    .description('create a key; it is shown once')
    .argument(...ACCOUNT)
    .option('--name <text>', 'name of the key', 'Key')
    .option('--test', 'a key of test mode, which draws results at once and costs nothing')
    .option('--scopes <list>', SCOPES.join(','), listOption('--scopes', SCOPES), DEFAULT_SCOPES)
    .option('--expires-in <duration>', 'such as 12h, 90d or 52w', spanAfterNow('--expires-in'))
    .option('--expires-at <date>', 'such as 2030-01-31', instantAfterNow('--expires-at'))
    .option('--expires <date>', 'older name of --expires-at', instantAfterNow('--expires'))
    .option(
      '--allow-ip <list>',
      'allow requests only from these networks, such as 192.0.2.0/24,2001:db8::/32',
      networksOption,
    )
    .action((id, options) => choose(createKey(id, options)));
  key
    .command('list')
    .description('list the keys of an account')
    .argument(...ACCOUNT)
    .option('--active', 'only keys that work: neither revoked nor expired')
    .action((id, options) => choose(listKeys(id, options)));
  key
    .command('revoke')
    .description('revoke a key')
    .argument('<key id>', 'id of the key')
    .action((id) => choose(revokeKey(id)));
}

function addOperatorCommands(operator: CommandLine, choose: Choose): void {
  operator
    .command('grant')
    .description('grant the operator role to an account')
    .argument(...ACCOUNT)
    .option('--unverified', 'grant the role even if the email address is not verified')
    .action((id, options) => choose(grantOperator(id, options)));
  operator
    .command('revoke')
    .description('revoke the operator role of an account')
    .argument(...ACCOUNT)
    .action((id) => choose(revokeOperator(id)));
  operator
    .command('list')
    .description('list the operators')
    .action(() => choose(listOperators));
}

function addSecretsCommands(secrets: CommandLine, choose: Choose): void {
  const add = (name: string, description: string): CommandLine =>
    secrets.command(name).description(description).argument('[kind]', 'signing or sealing; default: both');
  add('status', 'show the keys and what still needs the older ones').action((kind) =>
    choose(secretsStatus(kind)),
  );
  add('rotate', 'add a new key and seal everything with it').action((kind) => choose(rotateSecrets(kind)));
  add('retire', 'remove the older keys')
    .option('--force', 'remove signing keys even if signed URLs still need them')
    .action((kind, { force }) => choose(retireSecrets(kind, force === true)));
}

function addBackupCommands(program: CommandLine, choose: Choose): void {
  program
    .command('backup')
    .description('back up the database and the objects, also while the service is running')
    .argument('<folder>', 'new or empty folder')
    .addOption(
      choiceOption('--objects <mode>', 'copy the objects, or only list them', OBJECT_MODES).default('copy'),
    )
    .action((folder, { objects }) => choose(backUp(folder, objects)));
  program
    .command('restore')
    .description('restore a backup into an empty database')
    .argument('<folder>', 'folder of the backup')
    .action((folder) => choose(restore(folder)));
  const restores = program.command('restores').description('what was restored, and objects newer than that');
  restores
    .command('list')
    .description('show what was restored, and whether newer objects are held')
    .action(() => choose(showRestores));
  restores
    .command('hold')
    .description('keep newer objects after a restore by other means')
    .argument('<time>', 'to which the database was restored, such as 2030-01-31T12:00:00Z', momentArgument)
    .action((snapshotAt) => choose(holdObjects(snapshotAt)));
  restores
    .command('release')
    .description('let the orphan sweep delete newer objects without a row')
    .action(() => choose(releaseObjects));
}
