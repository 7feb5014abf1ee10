import { readFileSync, writeFileSync } from 'node:fs';

/** What an operation returned at a level when someone reviewed and approved it. */
export interface GoldenEntry {
  readonly width: number;
  readonly height: number;
  /** The hash of the model that made it, so that a failure shows whether the model has changed. */
  readonly modelSha256: string;
  /** See flow-fingerprint.ts. */
  readonly fingerprint: string;
}

/** The stored entries, by `<operation> <level>`; a missing one is written when it is requested. */
export class GoldenFile {
  private readonly entries: Record<string, GoldenEntry>;

  constructor(private readonly path: URL) {
    this.entries = JSON.parse(readFileSync(path, 'utf8')) as Record<string, GoldenEntry>;
  }

  find(name: string): GoldenEntry | undefined {
    return this.entries[name];
  }

  /** Stores an entry; the caller still fails, so that nobody renews one by accident. */
  write(name: string, entry: GoldenEntry): void {
    this.entries[name] = entry;
    const sorted = Object.entries(this.entries).toSorted(([a], [b]) => (a < b ? -1 : 1));
    writeFileSync(this.path, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
  }
}
