import type { Config } from '../../config/env.js';
import { IdempotencyService } from '../../idempotency/idempotency.service.js';
import type { Database } from '../../infra/database/database.js';
import { AccountError } from '../../auth/account-error.js';
import { AppError } from '../../kernel/app-error.js';
import { FailingEndpoints } from '../../operator/endpoints/failing-endpoints.js';
import { FailingEndpointsRepository } from '../../operator/endpoints/failing-endpoints.repository.js';
import { FailedJobs } from '../../operator/failed-jobs/failed-jobs.js';
import { FailedJobsRepository } from '../../operator/failed-jobs/failed-jobs.repository.js';
import { DeliveriesRepository } from '../../webhooks/deliveries/deliveries.repository.js';
import { EndpointDeliveriesRepository } from '../../webhooks/deliveries/endpoint-deliveries.repository.js';
import { EndpointControl } from '../../webhooks/endpoints/endpoint-control.js';
import { EndpointsRepository } from '../../webhooks/endpoints/endpoints.repository.js';
import { type AdminCommand, answerOf } from '../administered.js';
import { type CommandLine, numberOption } from '../command-line.mjs';
import { instantOption } from '../accounts/audit-command.js';

interface FailedJobsOptions {
  readonly account?: string;
  readonly code?: string;
  readonly operation?: string;
  readonly since?: Date;
  readonly limit: number;
}

/** `job failed`: the newest failed jobs of all accounts. */
function failedJobs({ since, ...options }: FailedJobsOptions): AdminCommand {
  return async ({ database }) => {
    const query = { ...options, ...(since !== undefined && { since: since.toISOString() }) };
    const { data } = await new FailedJobs(new FailedJobsRepository(database)).list(query);
    return data.map((job) => Object.fromEntries(Object.entries(job)));
  };
}

/** `job run-again`: like the console's button. Running it twice creates only one job. */
function runJobAgain(id: string): AdminCommand {
  return async ({ config, databaseUrl }) => {
    // Imported here, because only this command needs the modules that create jobs.
    const { rerunJob } = await import('./job-rerun.js');
    return answerOf(await rerunJob(config, databaseUrl, id));
  };
}

const endpointsOf = (database: Database, config: Config): FailingEndpoints =>
  new FailingEndpoints(
    new FailingEndpointsRepository(database),
    new EndpointControl(
      new EndpointsRepository(database),
      new EndpointDeliveriesRepository(),
      new DeliveriesRepository(database),
      new IdempotencyService(database, config),
      database,
      config,
    ),
  );

/** `endpoint failing`: endpoints of all accounts whose last attempt failed. */
function failingEndpoints({ limit }: { readonly limit: number }): AdminCommand {
  return async ({ database, config }) => {
    const { data } = await endpointsOf(database, config).list({ limit });
    return data.map((endpoint) => Object.fromEntries(Object.entries(endpoint)));
  };
}

/** `endpoint disable` and `endpoint enable` */
function switchEndpoint(id: string, enabled: boolean): AdminCommand {
  return async ({ database, config }) => {
    try {
      await endpointsOf(database, config).switch(id, enabled);
    } catch (error) {
      throw error instanceof AppError ? new AccountError(error.detail) : error;
    }
    return { id, enabled };
  };
}

const LIMIT = [
  '--limit <n>',
  'number of rows',
  numberOption('--limit', { from: 1, to: 100, whole: true }),
  20,
] as const;

/** Adds the commands for failures of customers' jobs and webhooks, as shown in the operator console. */
export function addFailureCommands(program: CommandLine, choose: (command: AdminCommand) => void): void {
  const job = program.command('job').description('jobs of all accounts');
  job
    .command('failed')
    .description('list failed jobs, newest first')
    .option('--account <account>', 'id or email address')
    .option('--code <code>', 'such as processing_failed')
    .option('--operation <name>', 'such as upscale')
    .option('--since <time>', 'a date such as 2030-01-31, or a duration such as 7d', instantOption('--since'))
    .option(...LIMIT)
    .action((options) => choose(failedJobs(options)));
  job
    .command('run-again')
    .description('run a failed job again, once; the customer is charged for one result')
    .argument('<job id>', 'id of the failed job')
    .action((id) => choose(runJobAgain(id)));
  const endpoint = program.command('endpoint').description('webhook endpoints of all accounts');
  endpoint
    .command('failing')
    .description('list endpoints whose last attempt failed')
    .option(...LIMIT)
    .action((options) => choose(failingEndpoints(options)));
  for (const [name, enabled] of [
    ['disable', false],
    ['enable', true],
  ] as const)
    endpoint
      .command(name)
      .description(`${name} an endpoint, as its owner can`)
      .argument('<endpoint id>', 'id of the endpoint')
      .action((id) => choose(switchEndpoint(id, enabled)));
}
