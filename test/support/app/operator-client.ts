import { expect } from 'vitest';
import { Database } from '../../../src/infra/database/database.js';
import { Operators } from '../../../src/operator/operators.js';
import type { Answer, CallOptions } from './api-client.js';
import { DashboardClient } from './dashboard-client.js';
import type { Harness, TestAccount } from './harness.js';

/** The browser of an operator. */
export class OperatorClient {
  private constructor(
    private readonly harness: Harness,
    readonly browser: DashboardClient,
    /** The operator's own account. */
    readonly id: string,
    /** The same account, with its API key. */
    readonly account: TestAccount,
  ) {}

  /** Creates an account with the operator role and signs in. */
  static async start(harness: Harness): Promise<OperatorClient> {
    const browser = new DashboardClient(harness);
    const account = await harness.createAccount();
    const { id } = await browser.signInto(account);
    await new Operators(harness.app.get(Database)).set(id, true);
    return new OperatorClient(harness, browser, id, account);
  }

  /** @param path below /operator/api */
  call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const headers = { cookie: this.browser.cookie!, 'x-csrf-token': this.browser.csrfToken! };
    return this.harness.call(method, `/operator/api${path}`, {
      ...options,
      headers: { ...headers, ...options.headers },
    });
  }

  /** Sends a request that must succeed. @returns the body */
  async expect<Body>(status: number, method: string, path: string, json?: object): Promise<Body> {
    const answer = await this.call(method, path, json === undefined ? {} : { json });
    expect(answer.status, answer.text).toBe(status);
    return answer.body as Body;
  }

  get<Body>(path: string): Promise<Body> {
    return this.expect(200, 'GET', path);
  }

  /** The operator's actions on an account, oldest first. */
  async audited(accountId: string): Promise<{ action: string; details: unknown }[]> {
    return this.harness.rows<{ action: string; details: unknown }>(
      `SELECT action, details FROM audit_events
        WHERE account_id = $1 AND actor_kind = 'operator' AND actor_id = $2 ORDER BY id`,
      [accountId, this.id],
    );
  }
}
