import { Injectable } from '@nestjs/common';
import type { JobModel } from '../job.entity.js';
import type { JobWithSource } from '../job-presenter.js';
import { RecentMap } from '../../kernel/recent-map.js';

/** An entry takes about 3 kB. */
const MAX_ENTRIES = 2_000;
/** The same as in the statement that uses a result, which might otherwise expire before it is copied. */
const MIN_LIFE_MS = 10_000;

interface KnownResult {
  readonly job: JobWithSource;
  /** As JSON. */
  readonly models: string;
}

/** What must match for a result to be reused. */
export interface KnownRequest {
  readonly accountId: string;
  readonly requestHash: Buffer;
  /** Of each step. */
  readonly models: readonly JobModel[];
}

/**
 * Jobs whose results this process has reused, so that the next equal request need not look for them. They may have
 * been deleted since, so callers check an entry in the statement that inserts the job.
 */
@Injectable()
export class KnownResults {
  private readonly results = new RecentMap<KnownResult>(MAX_ENTRIES);

  /** A completed job with an equal request and equal model files. */
  job({ accountId, requestHash, models }: KnownRequest): JobWithSource | undefined {
    const known = this.results.get(keyOf(accountId, requestHash.toString('base64')));
    if (known?.models !== JSON.stringify(models)) return undefined;
    return known.job.resultExpiresAt!.getTime() > Date.now() + MIN_LIFE_MS ? known.job : undefined;
  }

  add({ accountId, requestHash, models }: KnownRequest, job: JobWithSource): void {
    // Omits what the client named: it is not needed, and it would outlive its deletion.
    this.results.set(keyOf(accountId, requestHash.toString('base64')), {
      job: { ...job, metadata: {}, callbackUrl: null },
      models: JSON.stringify(models),
    });
  }

  forget({ accountId, requestHash }: KnownRequest): void {
    this.results.delete(keyOf(accountId, requestHash.toString('base64')));
  }
}

function keyOf(accountId: string, name: string): string {
  return `${accountId}:${name}`;
}
