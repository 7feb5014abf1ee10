import { AccountAccess } from '../../accounts/account-access.js';
import { PasswordHasher } from '../../infra/passwords/password-hasher.js';
import type { Database } from '../../infra/database/database.js';
import type { AdminCommand, Choose } from '../administered.js';
import type { CommandLine } from '../command-line.mjs';

const access = (database: Database): AccountAccess => new AccountAccess(database, new PasswordHasher());

/** `account identities` and `account unlink-identity`. */
export function addIdentityCommands(account: CommandLine, choose: Choose): void {
  account
    .command('identities')
    .description('list the users of the OpenID provider who sign in to an account')
    .argument('<account>', 'id or email address')
    .action((id) => choose(listIdentities(id)));
  account
    .command('unlink-identity')
    .description('unlink a user of the OpenID provider from an account')
    .argument('<account>', 'id or email address')
    .argument('<identity id>', 'as "account identities" prints it')
    .action((id, identityId) => choose(unlinkIdentity(id, identityId)));
}

function listIdentities(idOrEmail: string): AdminCommand {
  return async ({ accounts, database }) => {
    const { id } = await accounts.findUser(idOrEmail);
    const identities = await access(database).identities(id);
    return identities.map(({ id: identityId, issuer, subject, createdAt }) => ({
      id: identityId,
      issuer,
      subject,
      createdAt: createdAt.toISOString(),
    }));
  };
}

function unlinkIdentity(idOrEmail: string, identityId: string): AdminCommand {
  return async ({ accounts, database }) => {
    const { id } = await accounts.findUser(idOrEmail);
    await access(database).unlinkIdentity(id, identityId);
    return { accountId: id, identityId, linked: false };
  };
}
