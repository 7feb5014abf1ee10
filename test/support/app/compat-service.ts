import { expect } from 'vitest';
import { type Harness, startHarness, type TestAccount } from './harness.js';
import { photo } from '../images/images.js';

/** An api that may fetch from this machine, and a fake worker that ends each job of an account. */
export class CompatService {
  private constructor(
    readonly harness: Harness,
    readonly account: TestAccount,
    readonly result: Buffer,
  ) {}

  static async start(): Promise<CompatService> {
    const harness = await startHarness({
      env: { UPLOAD_FROM_URL_ALLOW_HTTP: 'true', UPLOAD_FROM_URL_ALLOW_NETWORKS: '127.0.0.0/8' },
    });
    return new CompatService(harness, await harness.createAccount(), await photo(96, 64, 'png', 4));
  }

  /** The response to a request whose job completes, or fails with a code. */
  async answered(path: string, init: RequestInit, code?: 'no_subject_found'): Promise<Response> {
    const ended = new AbortController();
    const answer = this.fetch(path, init).finally(() => ended.abort());
    await this.endJobs(ended.signal, code);
    return answer;
  }

  private async endJobs(signal: AbortSignal, code: 'no_subject_found' | undefined): Promise<void> {
    while (!signal.aborted) {
      const [queued] = await this.harness.rows<{ id: string }>(
        "SELECT id FROM jobs WHERE account_id = $1 AND status = 'queued'",
        [this.account.id],
      );
      if (queued === undefined) continue;
      if (code === undefined) await this.harness.jobs.complete(queued.id, this.result);
      else await this.harness.jobs.fail(queued.id, code);
    }
  }

  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = {
      'x-api-key': this.account.key,
      ...(init.headers as Record<string, string> | undefined),
    };
    return fetch(`${this.harness.url}${path}`, { ...init, headers });
  }

  /** The output of the newest job. */
  async newestOutput(): Promise<object> {
    const [row] = await this.harness.rows<{ output: object }>(
      'SELECT output FROM jobs WHERE account_id = $1 ORDER BY id DESC LIMIT 1',
      [this.account.id],
    );
    return row!.output;
  }

  /** Expects that source and result are erased once the response has been read. */
  async expectErased(): Promise<void> {
    await expect
      .poll(() => this.harness.footprint())
      .toMatchObject({ objects: 0, temporaryFiles: 0, storageBytes: 0 });
  }
}
