import type { AccountEntity } from '../accounts/account.entity.js';
import type { AccountsService } from '../accounts/accounts.service.js';
import type { StoredKey } from '../auth/keys/api-keys.repository.js';
import type { Config } from '../config/env.js';
import type { Database } from '../infra/database/database.js';
import { effectiveLimits, type Plan, type PlanLimits, PLANS } from '../kernel/plans.js';
import { DEFAULT_SCOPES, isScope, type Scope, SCOPES } from '../kernel/scopes.js';
import { type ParsedArguments, splitOnce, UsageError } from './arguments.js';
import { showAudit } from './accounts/audit-command.js';
import type { CommandAnswer } from './command-answer.js';
import { allowedIpsOf, expiryOf } from './accounts/key-options.js';
import { FORCE_FLAG, retireSecrets, rotateSecrets, secretsStatus } from './secrets/secrets-commands.js';
import { PASSWORD_FLAG, passwordFromInput } from './accounts/password-input.js';

/** What commands work on. */
export interface Administered {
  readonly accounts: AccountsService;
  readonly database: Database;
  readonly config: Config;
}

type Command = (
  accounts: AccountsService,
  given: ParsedArguments,
  administered: Administered,
) => Promise<CommandAnswer>;

/** `<noun> <verb>` → what it does. The positionals begin after the verb. */
export const ADMIN_COMMANDS: Readonly<Record<string, Command>> = {
  'account create': async (accounts, given) => {
    const email = positional(given, 0, 'email');
    const password = given.flags.has(PASSWORD_FLAG) ? await passwordFromInput(email) : undefined;
    const { account, key } = await accounts.create(
      email,
      planOf(given, 'free'),
      limitsOf(given),
      password?.hash,
    );
    return { accountId: account.id, key: key.key };
  },
  'account set-password': async (accounts, given) => {
    if (!given.flags.has(PASSWORD_FLAG))
      throw new UsageError(`The password is read from standard input: add --${PASSWORD_FLAG}.`);
    const { id, email } = await accounts.find(positional(given, 0, 'account'));
    await accounts.setPassword(id, (await passwordFromInput(email)).hash);
    return { accountId: id, password: 'changed', sessions: 'ended' };
  },
  'account list': async (accounts) => (await accounts.list()).map(accountRow),
  'account show': async (accounts, given) => accountRow(await accounts.find(positional(given, 0, 'account'))),
  'account set-plan': async (accounts, given) => {
    const plan = given.positionals[1] ?? given.options['plan'];
    if (plan === undefined) throw new UsageError('Which plan? account set-plan <account> <plan>');
    return accountRow(await accounts.setPlan(positional(given, 0, 'account'), asPlan(plan), limitsOf(given)));
  },
  'key create': async (accounts, given) => {
    const { id, key } = await accounts.createKey(
      positional(given, 0, 'account'),
      given.options['name'] ?? 'Key',
      scopesOf(given),
      expiryOf(given, Date.now()),
      allowedIpsOf(given),
    );
    return { id, key };
  },
  'key list': async (accounts, given) =>
    (await accounts.listKeys(positional(given, 0, 'account'))).map(keyRow),
  'key revoke': async (accounts, given) => {
    const id = positional(given, 0, 'key id');
    await accounts.revokeKey(id);
    return { id, revoked: true };
  },
  'secrets status': (_, given, administered) => secretsStatus(administered, given),
  'secrets rotate': (_, given, administered) => rotateSecrets(administered, given),
  'secrets retire': (_, given, administered) => retireSecrets(administered, given),
  'audit ': (accounts, given, { database }) => showAudit(database, accounts, given),
  // Every command brings the schema up to date first; this one does nothing else.
  'migrate ': async () => ({ schema: 'up to date' }),
};

export const ADMIN_USAGE = `Usage:
  npm run admin -- account create <email> [--plan ${PLANS.join('|')}] [--limits rpm=…,enhancements=…,storageBytes=…,keys=…] [--${PASSWORD_FLAG}]
  npm run admin -- account set-password <account> --${PASSWORD_FLAG} < file
  npm run admin -- account list
  npm run admin -- account show <account id or email>
  npm run admin -- account set-plan <account> <plan> [--limits …]
  npm run admin -- key create <account> [--name …] [--scopes ${SCOPES.join(',')}] [--expires-in 90d | --expires-at 2030-01-31] [--allow-ip 192.0.2.0/24,2001:db8::/32]
  npm run admin -- key list <account>
  npm run admin -- key revoke <key id>
  npm run admin -- secrets status|rotate|retire [signing|sealing] [--${FORCE_FLAG}]
  npm run admin -- audit [--account <id or email>] [--action key.created|key] [--since 2030-01-31|7d] [--before <event id>] [--limit 100]
  npm run admin -- migrate
With --json the answer is one JSON value.`;

function positional(given: ParsedArguments, index: number, what: string): string {
  const value = given.positionals[index];
  if (value === undefined) throw new UsageError(`The ${what} is missing.`);
  return value;
}

function planOf(given: ParsedArguments, fallback: Plan): Plan {
  const { plan } = given.options;
  return plan === undefined ? fallback : asPlan(plan);
}

function asPlan(text: string): Plan {
  const plan = PLANS.find((candidate) => candidate === text);
  if (plan === undefined) throw new UsageError(`"${text}" is no plan: ${PLANS.join(', ')}.`);
  return plan;
}

const LIMIT_NAMES = [
  'rpm',
  'enhancements',
  'storageBytes',
  'keys',
] as const satisfies readonly (keyof PlanLimits)[];
/** The counters of enhancements are 32-bit; storage is not. */
const LIMIT_CEILINGS: PlanLimits = {
  rpm: 1e9,
  enhancements: 2e9,
  storageBytes: Number.MAX_SAFE_INTEGER,
  keys: 1e6,
};

function limitsOf(given: ParsedArguments): Partial<PlanLimits> | null {
  const { limits } = given.options;
  if (limits === undefined) return null;
  return Object.fromEntries(
    limits.split(',').map((pair) => {
      const [text, raw] = splitOnce(pair, '=');
      const name = LIMIT_NAMES.find((candidate) => candidate === text);
      const value = Number(raw);
      if (name === undefined) throw new UsageError(`"${text}" is no limit: ${LIMIT_NAMES.join(', ')}.`);
      if (
        raw === undefined ||
        raw === '' ||
        !Number.isInteger(value) ||
        value < 0 ||
        value > LIMIT_CEILINGS[name]
      ) {
        throw new UsageError(`--limits ${name} must be a whole number from 0 to ${LIMIT_CEILINGS[name]}.`);
      }
      return [name, value];
    }),
  );
}

function scopesOf(given: ParsedArguments): readonly Scope[] {
  const { scopes } = given.options;
  if (scopes === undefined) return DEFAULT_SCOPES;
  return [...new Set(scopes.split(','))].map((scope) => {
    if (!isScope(scope)) throw new UsageError(`"${scope}" is no scope: ${SCOPES.join(', ')}.`);
    return scope;
  });
}

function accountRow(account: AccountEntity): Record<string, unknown> {
  return {
    accountId: account.id,
    email: account.email,
    plan: account.plan,
    limits: effectiveLimits(account.plan, account.limits),
    createdAt: account.createdAt.toISOString(),
  };
}

function keyRow(key: StoredKey): Record<string, unknown> {
  return {
    id: key.id,
    name: key.name,
    key: `${key.prefix}…${key.last4}`,
    scopes: key.scopes,
    createdAt: key.createdAt.toISOString(),
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    expiresAt: key.expiresAt?.toISOString() ?? null,
    revokedAt: key.revokedAt?.toISOString() ?? null,
    replacedBy: key.replacedBy,
    allowedIps: key.allowedIps ?? 'any',
  };
}
