import type { AccountEntity } from '../../accounts/account.entity.js';
import { ownership } from '../../accounts/members/ownership.js';
import type { Role } from '../../kernel/accounts/roles.js';
import { RESET_TTL_SECONDS } from '../../auth/passwords/resets/password-resets.repository.js';
import { tokenLink } from '../../auth/links/token-link.js';
import { effectiveLimits, type Plan, type PlanLimits } from '../../kernel/plans.js';
import type { AdminCommand } from '../administered.js';
import { UsageError } from '../command-line.mjs';
import { passwordFromInput } from './password-input.js';
import { requireEnterpriseLimits } from './plan-options.js';

interface AccountOptions {
  readonly plan: Plan;
  readonly limits?: Partial<PlanLimits>;
  readonly passwordStdin?: true;
}

/** `account create`. @throws UsageError for Enterprise without limits */
export function createAccount(email: string, { plan, limits, passwordStdin }: AccountOptions): AdminCommand {
  requireEnterpriseLimits(plan, limits);
  return async ({ accounts }) => {
    const password = passwordStdin === true ? await passwordFromInput(email) : undefined;
    const { account, key } = await accounts.create(email, plan, limits ?? null, password?.hash);
    return { accountId: account.id, key: key.key };
  };
}

/** `account set-password` */
export function setAccountPassword(idOrEmail: string): AdminCommand {
  return async ({ accounts }) => {
    const { id, email } = await accounts.find(idOrEmail);
    await accounts.setPassword(id, (await passwordFromInput(email)).hash);
    return { accountId: id, password: 'changed', sessions: 'ended' };
  };
}

/** `account set-email` */
export function setAccountEmail(idOrEmail: string, email: string): AdminCommand {
  return async ({ accounts }) => {
    const { id, email: previous } = await accounts.setEmail(idOrEmail, email);
    return { accountId: id, email, previous, sessions: 'ended' };
  };
}

/** `account reset-link` */
export function issueResetLink(idOrEmail: string): AdminCommand {
  return async ({ accounts, config }) => ({
    link: tokenLink(config.publicUrl, '/reset-password', await accounts.issueResetToken(idOrEmail)),
    validFor: `${RESET_TTL_SECONDS / 60} minutes, once`,
  });
}

/** `account list` */
export const listAccounts: AdminCommand = async ({ accounts }) => (await accounts.list()).map(accountRow);

/** `account show` */
export function showAccount(idOrEmail: string): AdminCommand {
  return async ({ accounts, database }) => {
    const account = await accounts.find(idOrEmail);
    const owner = await ownership.ownerOf(database, account.id);
    if (owner !== null) return { ...accountRow(account), owner };
    const owned = await ownership.ownedBy(database, account.id);
    const organizations = owned.map(({ id, name, isSuspended }) => ({
      accountId: id,
      name,
      status: isSuspended ? 'suspended' : 'active',
    }));
    return { ...accountRow(account), organizations };
  };
}

/** `account set-plan`, with the plan as an argument or as an option. @throws UsageError without one, or for Enterprise without limits */
export function setAccountPlan(
  idOrEmail: string,
  argument: Plan | undefined,
  options: Partial<AccountOptions>,
): AdminCommand {
  const plan = argument ?? options.plan;
  if (plan === undefined) throw new UsageError("Missing required argument 'plan'");
  requireEnterpriseLimits(plan, options.limits);
  return async ({ accounts }) => accountRow(await accounts.setPlan(idOrEmail, plan, options.limits ?? null));
}

/** `account set-result-cache` */
export function setResultCache(idOrEmail: string, value: string): AdminCommand {
  if (value !== 'on' && value !== 'off') throw new UsageError(`"${value}" is neither on nor off.`);
  return async ({ accounts }) => accountRow(await accounts.setResultCache(idOrEmail, value === 'on'));
}

/** `account add-member` */
export function addMember(idOrEmail: string, user: string, { role }: { readonly role: Role }): AdminCommand {
  return async ({ accounts, config }) => {
    const { id, email, emailVerifiedAt } = await accounts.addMember(idOrEmail, user, role);
    const isVerified = emailVerifiedAt !== null;
    if (!isVerified && config.smtpFrom !== undefined)
      process.stderr.write(
        `Warning: ${email} is not verified. Somebody else may have signed up with this address.\n`,
      );
    return { userId: id, email, verified: isVerified, role };
  };
}

function accountRow(account: AccountEntity): Record<string, unknown> {
  return {
    accountId: account.id,
    email: account.email,
    verified: account.name === null ? account.emailVerifiedAt !== null : null,
    ...(account.name !== null && { name: account.name }),
    plan: account.plan,
    limits: effectiveLimits(account.plan, account.limits),
    resultCache: account.resultCache ? 'on' : 'off',
    createdAt: account.createdAt.toISOString(),
  };
}
