import { CONFIG } from '../../../src/config/tokens.js';
import type { Config } from '../../../src/config/env.js';
import { Database } from '../../../src/infra/database/database.js';
import { newId } from '../../../src/kernel/ids.js';
import {
  ClaimedDelivery,
  type ClaimedRow,
  type FinishedAttempt,
  type Outcome,
} from '../../../src/webhooks/dispatch/claimed-delivery.js';
import { ClaimsRepository } from '../../../src/webhooks/dispatch/claims.repository.js';
import { outcomesOf } from '../../../src/webhooks/dispatch/endpoint-outcome.js';
import { FanOutRepository } from '../../../src/webhooks/dispatch/fan-out.repository.js';
import { type JudgedEndpoint, ResultsRepository } from '../../../src/webhooks/dispatch/results.repository.js';
import { settle } from '../../../src/webhooks/dispatch/settlement.js';
import type { Harness, TestAccount } from '../app/harness.js';

export const LEASE_MS = 60_000;
export const DAY_MS = 86_400_000;
export const TAKEN: Outcome = { answer: { status: 204, retryAfter: undefined, body: '' }, error: null };
export const GONE: Outcome = { answer: { status: 410, retryAfter: undefined, body: '' }, error: null };
export const SILENCE: Outcome = { answer: null, error: 'The connection was refused.' };

/** The outcome of an attempt at this delivery, as the sender reports it. */
export const finish = (row: ClaimedRow, outcome: Outcome): FinishedAttempt =>
  new ClaimedDelivery(row, 0).begin()(outcome);

/** The steps of a dispatcher one by one, for tests that choose what happens in between. */
export class WebhookHands {
  readonly claims: ClaimsRepository;
  readonly fanOut: FanOutRepository;
  private readonly results: ResultsRepository;

  constructor(private readonly harness: Harness) {
    const database = harness.app.get(Database);
    this.claims = new ClaimsRepository(database);
    this.fanOut = new FanOutRepository(database, harness.app.get<Config>(CONFIG));
    this.results = new ResultsRepository(database);
  }

  /** Writes events like the transaction that causes them. @returns their ids */
  async emit(account: TestAccount, count: number, type = 'image.uploaded'): Promise<string[]> {
    const ids = Array.from({ length: count }, () => newId('event'));
    await this.harness.rows(
      `INSERT INTO events (id, account_id, type, data, created_at) SELECT id, $2, $3, '{}', now() FROM unnest($1::text[]) AS id`,
      [ids, account.id, type],
    );
    return ids;
  }

  /** Creates an endpoint with this many due deliveries. @returns its id */
  async withDue(account: TestAccount, count: number): Promise<string> {
    const { id } = await this.harness.newEndpoint(account);
    await this.emit(account, count);
    await this.fanOut.fanOut(10_000);
    return id;
  }

  claim(endpointId: string, room: number, leaseMs = LEASE_MS): Promise<ClaimedRow[]> {
    return this.claims.claim(new Map([[endpointId, room]]), leaseMs);
  }

  /** Records the outcomes of attempts, like the recorder. */
  async record(
    attempts: readonly FinishedAttempt[],
    disableAfterMs = 5 * DAY_MS,
  ): Promise<{ written: number; judged: JudgedEndpoint[] }> {
    const settled = attempts.map((attempt) => ({ attempt, settlement: settle(attempt, [0, 1_000], 0) }));
    const written = await this.results.record(settled);
    const judged = await this.results.judge(outcomesOf(settled, written), disableAfterMs);
    return { written: written.size, judged };
  }

  async delivery(id: string): Promise<Record<string, unknown>> {
    return this.row('SELECT * FROM webhook_deliveries WHERE id = $1', id);
  }

  async endpoint(id: string): Promise<Record<string, unknown>> {
    return this.row('SELECT * FROM webhook_endpoints WHERE id = $1', id);
  }

  private async row(statement: string, id: string): Promise<Record<string, unknown>> {
    return (await this.harness.rows<Record<string, unknown>>(statement, [id]))[0]!;
  }
}
