import { AccountAccess } from '../../accounts/account-access.js';
import { AccountEraser } from '../../accounts/account-eraser.js';
import { AccountErasureRepository } from '../../accounts/account-erasure.repository.js';
import { AccountSuspension } from '../../accounts/account-suspension.js';
import { ObjectErasures } from '../../infra/storage/object-erasures.js';
import { AccountError } from '../../auth/account-error.js';
import { tokenLink } from '../../auth/links/token-link.js';
import { DEFAULT_PAGE_SIZE } from '../../common/lists/pagination.js';
import { PasswordHasher } from '../../infra/passwords/password-hasher.js';
import { AccountSearchRepository } from '../../operator/accounts/account-search.repository.js';
import { ConsoleAccounts } from '../../operator/accounts/console-accounts.js';
import { ConsoleAccountsRepository } from '../../operator/accounts/console-accounts.repository.js';
import type { Database } from '../../infra/database/database.js';
import { IMPERSONATION_LINK_MINUTES, Impersonations } from '../../operator/impersonation/impersonations.js';
import type { AdminCommand } from '../administered.js';
import { openObjects } from '../backup/open-objects.js';

/** The accounts of the operator console. */
export const consoleAccounts = (database: Database): ConsoleAccounts =>
  new ConsoleAccounts(new ConsoleAccountsRepository(database), new AccountSearchRepository(database));

interface SearchOptions {
  readonly limit?: number;
}

/** `account search`: one page of the accounts that the console's search finds. */
export function searchAccounts(search: string, { limit = DEFAULT_PAGE_SIZE }: SearchOptions): AdminCommand {
  return async ({ database }) => {
    const { data } = await consoleAccounts(database).list({ search, limit });
    return data.map((account) => Object.fromEntries(Object.entries(account)));
  };
}

/** `account suspend` */
export function suspendAccount(
  idOrEmail: string,
  { reason, withOrganizations }: { readonly reason: string; readonly withOrganizations?: true },
): AdminCommand {
  return async ({ accounts, database }) => {
    const { id } = await accounts.find(idOrEmail);
    const suspended = await new AccountSuspension(database).suspend(id, reason, withOrganizations);
    const row = { accountId: id, status: 'suspended', reason, changed: suspended.includes(id) };
    const organizations = suspended.filter((one) => one !== id);
    return withOrganizations === true ? { ...row, organizations } : row;
  };
}

/** `account resume` */
export function resumeAccount(idOrEmail: string): AdminCommand {
  return async ({ accounts, database }) => {
    const { id } = await accounts.find(idOrEmail);
    return { accountId: id, status: 'active', changed: await new AccountSuspension(database).resume(id) };
  };
}

/** `account sign-in-as`: prints a sign-in link that works only in the session of an operator. */
export function issueSignInLink(idOrEmail: string, { reason }: { readonly reason: string }): AdminCommand {
  return async ({ accounts, database, config }) => {
    const { id } = await accounts.find(idOrEmail);
    const token = await new Impersonations(database).issueLink(id, reason);
    return {
      accountId: id,
      link: tokenLink(config.publicUrl, '/operator/sign-in-as', token),
      validFor: `${IMPERSONATION_LINK_MINUTES} minutes, once, in the session of an operator`,
    };
  };
}

const access = (database: Database): AccountAccess => new AccountAccess(database, new PasswordHasher());

/** `account sign-out`: ends every session of the user. */
export function signOutAccount(idOrEmail: string): AdminCommand {
  return async ({ accounts, database }) => {
    const { id } = await accounts.find(idOrEmail);
    return { accountId: id, sessions: await access(database).signOut(id) };
  };
}

/** `account reset-password`: prints a temporary password. */
export function resetAccountPassword(idOrEmail: string): AdminCommand {
  return async ({ accounts, database }) => {
    const { id } = await accounts.findUser(idOrEmail);
    const { password, expiresAt } = (await access(database).resetPassword(id))!;
    return { accountId: id, password, expiresAt: expiresAt.toISOString() };
  };
}

/** `account reset-two-factor` */
export function resetTwoFactor(idOrEmail: string): AdminCommand {
  return async ({ accounts, database }) => {
    const { id, email } = await accounts.findUser(idOrEmail);
    if (!(await access(database).resetTwoFactor(id)))
      throw new AccountError(`Two-factor authentication of ${email} is off already.`);
    return { accountId: id, twoFactor: 'off' };
  };
}

/** `account delete`. For a large account, the dispatcher deletes the remaining objects. */
export function deleteAccount(idOrEmail: string, { confirm }: { readonly confirm: string }): AdminCommand {
  return async ({ accounts, database, config }) => {
    const { id, email, name } = await accounts.find(idOrEmail);
    if (confirm.toLowerCase() !== (name ?? email).toLowerCase())
      throw new AccountError(
        '--confirm must be the email address of the account, or the name of the organization. Nothing was deleted.',
      );
    const erasures = new ObjectErasures(database, await openObjects(config));
    await new AccountEraser(new AccountErasureRepository(), erasures, database).erase(id);
    return { accountId: id, deleted: true };
  };
}
