import { built } from '../../lib/built.mjs';
import { ACCOUNT } from './seed.mjs';

const LIMIT = 50;

/** The queries of the operator console over all accounts, through its own services. */
export async function consoleQueries({ database }) {
  const { AccountSearchRepository } = await built('operator/accounts/account-search.repository.js');
  const { ConsoleAccountsRepository } = await built('operator/accounts/console-accounts.repository.js');
  const { ConsoleAccounts } = await built('operator/accounts/console-accounts.js');
  const accounts = new ConsoleAccounts(
    new ConsoleAccountsRepository(database),
    new AccountSearchRepository(database),
  );
  const { FailedJobsRepository } = await built('operator/failed-jobs/failed-jobs.repository.js');
  const { FailingEndpointsRepository } = await built('operator/endpoints/failing-endpoints.repository.js');
  const failures = new FailedJobsRepository(database);
  const endpoints = new FailingEndpointsRepository(database);
  const filters = [
    {},
    { code: 'undecodable_image' },
    { code: 'worker_lost' },
    { operation: 'bg_remove' },
    { accountId: ACCOUNT },
    { accountId: 'acc_0001' },
    { since: new Date(Date.now() - 604_800_000) },
  ];
  const cursor = (kind, id) => Buffer.from(`${kind} ${id}`).toString('base64url');
  const deep = `acc_c${(500_000).toString(16).padStart(31, '0')}`;
  const lists = [
    {},
    { cursor: cursor('email', deep) },
    { plan: 'business' },
    { plan: 'enterprise' },
    { status: 'suspended' },
    { plan: 'personal', status: 'suspended' },
    { search: 'person12345' },
    { search: 'person' },
    { search: 'company4999' },
    { search: '@company' },
    { search: 'nobody' },
    { search: 'acc_c' },
    { search: 'person', cursor: cursor('email', deep) },
  ];
  return [
    ...lists.map((query) => [
      `console: accounts ${Object.entries(query)
        .map(([name, value]) => (name === 'cursor' ? 'cursor' : `${name}=${value}`))
        .join(' ')}`,
      () => accounts.list({ limit: LIMIT, ...query }),
    ]),
    ['console: account', () => accounts.get(ACCOUNT)],
    ...filters.flatMap((filter) => {
      const name = Object.entries(filter)
        .map(([key, value]) => (key === 'since' ? key : `${key}=${value}`))
        .join(' ');
      return [
        [`console: failed jobs ${name}`, () => failures.list(filter, undefined, LIMIT)],
        [`console: failures by code ${name}`, () => failures.counts(filter)],
      ];
    }),
    ['console: failing endpoints', () => endpoints.list(undefined, undefined, LIMIT)],
  ];
}
