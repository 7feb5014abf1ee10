import { AccountError } from '../../auth/account-error.js';
import type { Database } from '../../infra/database/database.js';
import { QueueWorkRepository } from '../../jobs/queue/queue-work.repository.js';
import { ModelWorkersRepository } from '../../models/serving/model-workers.repository.js';
import { Operators } from '../../operator/operators.js';
import { Overview } from '../../operator/overview/overview.js';
import { OverviewRepository } from '../../operator/overview/overview.repository.js';
import { BacklogRepository } from '../../webhooks/dispatch/backlog.repository.js';
import { type AdminCommand, answerOf, type CommandAnswer } from '../administered.js';
import { openObjects } from '../backup/open-objects.js';

interface GrantOptions {
  readonly unverified?: true;
}

/**
 * `operator grant`. Granting twice changes nothing. If the service sends mail, the address must be verified: otherwise,
 * somebody else may have signed up with it.
 */
export function grantOperator(idOrEmail: string, { unverified }: GrantOptions = {}): AdminCommand {
  return async ({ accounts, database, config }) => {
    const { id, email, emailVerifiedAt } = await accounts.findUser(idOrEmail);
    if (config.smtpFrom !== undefined && emailVerifiedAt === null && unverified !== true)
      throw new AccountError(
        `${email} is not verified, so somebody else may have signed up with it. Ask its owner to verify it, or use --unverified.`,
      );
    return setOperator(database, { id, email }, true);
  };
}

/**
 * `operator revoke`. Takes effect with the next request of the account, however long the deletion of its webhook events
 * about customers takes.
 */
export function revokeOperator(idOrEmail: string): AdminCommand {
  return async ({ accounts, database }) => setOperator(database, await accounts.find(idOrEmail), false);
}

async function setOperator(
  database: Database,
  { id, email }: { readonly id: string; readonly email: string },
  isOperator: boolean,
): Promise<CommandAnswer> {
  const isChanged = await new Operators(database).set(id, isOperator);
  return { accountId: id, email, operator: isOperator, changed: isChanged };
}

/** `operator list` */
export const listOperators: AdminCommand = async ({ database }) =>
  (await new Operators(database).list()).map(({ accountId, email, since }) => ({
    accountId,
    email,
    since: since.toISOString(),
  }));

/** `overview`: the response of `GET /operator/api/overview`. */
export const showOverview: AdminCommand = async ({ database, config }) => {
  const overview = new Overview(
    new OverviewRepository(database),
    new QueueWorkRepository(database),
    new ModelWorkersRepository(database),
    new BacklogRepository(database),
    await openObjects(config),
  );
  return answerOf(await overview.read());
};
