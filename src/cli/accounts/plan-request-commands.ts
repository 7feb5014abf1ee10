import type { PlanRequest } from '../../accounts/plans/plan-request.js';
import { AccountError } from '../../auth/account-error.js';
import { AppError } from '../../kernel/app-error.js';
import type { PlanLimits } from '../../kernel/plans.js';
import { PlanDecisions } from '../../operator/plan-requests/plan-decisions.js';
import type { AdminCommand, Choose } from '../administered.js';
import { type CommandLine, numberOption } from '../command-line.mjs';
import { limitsOption } from './plan-options.js';

interface ListOptions {
  readonly limit: number;
}

/** `account requests`: the oldest open requests of all customers. */
function listRequests({ limit }: ListOptions): AdminCommand {
  return async ({ database }) => (await new PlanDecisions(database).list(limit)).data.map(requestRow);
}

/** `account approve-request` */
function approveRequest(id: string, { limits }: { readonly limits?: Partial<PlanLimits> }): AdminCommand {
  return ({ database }) => decided(new PlanDecisions(database).approve(id, limits ?? null));
}

/** `account decline-request` */
function declineRequest(id: string, { reason }: { readonly reason: string }): AdminCommand {
  return ({ database }) => decided(new PlanDecisions(database).decline(id, reason));
}

async function decided(decision: Promise<PlanRequest>): Promise<Record<string, unknown>> {
  try {
    return requestRow(await decision);
  } catch (error) {
    throw error instanceof AppError ? new AccountError(error.detail) : error;
  }
}

function requestRow(request: PlanRequest): Record<string, unknown> {
  const { id, accountId, accountName, currentPlan, plan, note, requestedBy, createdAt, status } = request;
  return {
    id,
    accountId,
    account: accountName,
    currentPlan,
    plan,
    note,
    requestedBy,
    createdAt: createdAt.toISOString(),
    status,
  };
}

const REQUEST = ['<request id>', 'id of the request, plr_…'] as const;

/** Adds the commands for customers' plan requests: list, approve, and decline. */
export function addPlanRequestCommands(account: CommandLine, choose: Choose): void {
  account
    .command('requests')
    .description('list open requests for another plan, oldest first')
    .option(
      '--limit <n>',
      'number of requests',
      numberOption('--limit', { from: 1, to: 100, whole: true }),
      20,
    )
    .action((options) => choose(listRequests(options)));
  account
    .command('approve-request')
    .description('move the account to the plan that it asked for')
    .argument(...REQUEST)
    .option(
      '--limits <list>',
      "limits in place of the plan's, such as rpm=1200,keys=20; required for enterprise, where limits left out are those of business",
      limitsOption,
    )
    .action((id, options) => choose(approveRequest(id, options)));
  account
    .command('decline-request')
    .description('decline a request for another plan')
    .argument(...REQUEST)
    .requiredOption('--reason <text>', 'shown to the customer')
    .action((id, options) => choose(declineRequest(id, options)));
}
