import { Injectable } from '@nestjs/common';
import { livemodeOf } from '../../kernel/accounts/livemode.js';
import { RecentMap } from '../../kernel/recent-map.js';
import type { SourceOfJob } from './sources.repository.js';

/** An entry takes about 1 kB. */
const MAX_ENTRIES = 5_000;

/**
 * Uploads that this process received or read, so that a job made from one need not read it. An upload never changes,
 * but it may have been deleted since, so callers check that in the statement that inserts the job. Test jobs depend
 * on the file name, which is not kept, so uploads of test mode are not remembered.
 */
@Injectable()
export class KnownSources {
  private readonly sources = new RecentMap<SourceOfJob>(MAX_ENTRIES);

  get(accountId: string, id: string): SourceOfJob | undefined {
    return this.sources.get(keyOf(accountId, id));
  }

  /** Remembers an upload that is not deleted. */
  add(accountId: string, { id, sha256, format, width, height, hasAlpha }: SourceOfJob): void {
    if (!livemodeOf(accountId)) return;
    // Omits the file name, which would outlive its deletion.
    const known = { id, sha256, format, width, height, hasAlpha, deleted: false, name: null };
    this.sources.set(keyOf(accountId, id), known);
  }

  forget(accountId: string, id: string): void {
    this.sources.delete(keyOf(accountId, id));
  }
}

function keyOf(accountId: string, id: string): string {
  return `${accountId}:${id}`;
}
