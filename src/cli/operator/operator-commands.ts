import { QueueWorkRepository } from '../../jobs/queue/queue-work.repository.js';
import { ModelWorkersRepository } from '../../models/serving/model-workers.repository.js';
import { Operators } from '../../operator/operators.js';
import { Overview } from '../../operator/overview/overview.js';
import { OverviewRepository } from '../../operator/overview/overview.repository.js';
import { BacklogRepository } from '../../webhooks/dispatch/backlog.repository.js';
import { type AdminCommand, answerOf } from '../administered.js';
import { openObjects } from '../backup/open-objects.js';

const setOperator =
  (idOrEmail: string, isOperator: boolean): AdminCommand =>
  async ({ accounts, database }) => {
    const { id, email } = await (isOperator ? accounts.findUser(idOrEmail) : accounts.find(idOrEmail));
    const isChanged = await new Operators(database).set(id, isOperator);
    return { accountId: id, email, operator: isOperator, changed: isChanged };
  };

/** `operator grant`. Granting twice changes nothing. */
export const grantOperator = (idOrEmail: string): AdminCommand => setOperator(idOrEmail, true);

/** `operator revoke`. Takes effect with the next request of the account. */
export const revokeOperator = (idOrEmail: string): AdminCommand => setOperator(idOrEmail, false);

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
