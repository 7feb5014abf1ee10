import { inject } from 'vitest';
import type { PlanLimits } from '../../../src/kernel/plans.js';
import { FlowDatabase } from '../database/flow-database.js';
import type { FlowAccount } from './flow-account.js';
import { FlowClient } from './flow-client.js';

/**
 * The service that the spec files of a run share: every role with the default configuration, and receivers on
 * this machine allowed. Starting one takes six seconds of CPU. A spec that stops a role, sets variables, or looks at
 * data of all accounts starts its own FlowService.
 */
export class SharedService {
  readonly database: FlowDatabase;

  private constructor(
    readonly baseUrl: string,
    readonly databaseUrl: string,
  ) {
    this.database = new FlowDatabase(databaseUrl);
  }

  static async join(): Promise<SharedService> {
    const { baseUrl, databaseUrl } = await ask<{ baseUrl: string; databaseUrl: string }>('/');
    return new SharedService(baseUrl, databaseUrl);
  }

  /** A new account and a client that uses its key. */
  async client(limits: Partial<PlanLimits> = {}): Promise<FlowClient & { readonly account: FlowAccount }> {
    const account = await ask<FlowAccount>('/accounts', { method: 'POST', body: JSON.stringify(limits) });
    return Object.assign(new FlowClient(this.baseUrl, account.key), { account });
  }

  /** Leaves the service running for other specs. */
  close(): Promise<void> {
    return this.database.close();
  }
}

/** Asks the process that all workers of the run share. */
async function ask<Body>(path: string, request: RequestInit = {}): Promise<Body> {
  const answer = await fetch(`${inject('sharedServiceUrl')}${path}`, request);
  if (!answer.ok) throw new Error(`the shared service is not there: ${await answer.text()}`);
  return (await answer.json()) as Body;
}
