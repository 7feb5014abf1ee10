import type { VerdictRecord, VerdictStore } from '../serving/verdicts-table.js';

/** Verdicts of workers that share this object instead of a database. */
export class MemoryVerdicts implements VerdictStore {
  readonly records = new Map<string, VerdictRecord>();

  async read(): Promise<ReadonlyMap<string, string | null>> {
    return new Map([...this.records].map(([key, { reason }]) => [key, reason]));
  }

  async write(record: VerdictRecord): Promise<void> {
    this.records.set(record.key, record);
  }

  async forgetRefusals(): Promise<void> {
    for (const [key, { reason }] of this.records) if (reason !== null) this.records.delete(key);
  }
}
