import { IMPERSONATION_LINK_MINUTES } from '../../operator/impersonation/impersonations.js';
import type { Choose } from '../administered.js';
import { type CommandLine, numberOption } from '../command-line.mjs';
import {
  deleteAccount,
  issueSignInLink,
  resetAccountPassword,
  resetTwoFactor,
  resumeAccount,
  searchAccounts,
  signOutAccount,
  suspendAccount,
} from './account-operations.js';
import { addIdentityCommands } from './identity-commands.js';

const ACCOUNT = ['<account>', 'id or email address'] as const;

/** Adds the account commands that the operator console offers, too. */
export function addAccountOperations(account: CommandLine, choose: Choose): void {
  account
    .command('search')
    .description('find accounts by the start of the email address or of its domain, or by an id')
    .argument('<text>', 'such as ada@, @example.org, acc_… or job_…')
    .option(
      '--limit <n>',
      'number of accounts',
      numberOption('--limit', { from: 1, to: 100, whole: true }),
      20,
    )
    .action((text, options) => choose(searchAccounts(text, options)));
  account
    .command('suspend')
    .description('refuse the keys and sign-ins of an account, and cancel its waiting jobs')
    .argument(...ACCOUNT)
    .requiredOption('--reason <text>', 'shown to the customer')
    .option('--with-organizations', 'also suspend the organizations that the user owns')
    .action((id, options) => choose(suspendAccount(id, options)));
  account
    .command('resume')
    .description('end a suspension')
    .argument(...ACCOUNT)
    .action((id) => choose(resumeAccount(id)));
  account
    .command('sign-in-as')
    .description(
      `print a single-use link that signs an operator in to this account, read-only, valid for ${IMPERSONATION_LINK_MINUTES} minutes`,
    )
    .argument(...ACCOUNT)
    .requiredOption('--reason <text>', 'for the audit log of the account, which its owner can read')
    .action((id, options) => choose(issueSignInLink(id, options)));
  account
    .command('sign-out')
    .description('end all sessions of the user')
    .argument(...ACCOUNT)
    .action((id) => choose(signOutAccount(id)));
  account
    .command('reset-password')
    .description('print a temporary password that works for 24 hours, and end all sessions')
    .argument(...ACCOUNT)
    .action((id) => choose(resetAccountPassword(id)));
  account
    .command('reset-two-factor')
    .description('turn two-factor authentication off for a user who lost the app and the recovery codes')
    .argument(...ACCOUNT)
    .action((id) => choose(resetTwoFactor(id)));
  addIdentityCommands(account, choose);
  account
    .command('delete')
    .description('delete an account and everything it owns')
    .argument(...ACCOUNT)
    .requiredOption('--confirm <name>', 'the email address of the account, or the name of the organization')
    .action((id, options) => choose(deleteAccount(id, options)));
}
