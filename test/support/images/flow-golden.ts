import { readFileSync, writeFileSync } from 'node:fs';

/** What an operation at a level gave when somebody looked at it and found it good. */
export interface GoldenEntry {
  readonly width: number;
  readonly height: number;
  /** Of the model that gave it, so that a failure says whether the model is another now. */
  readonly modelSha256: string;
  /** See flow-fingerprint.ts. */
  readonly fingerprint: string;
}

/** The stored entries, by `<operation> <level>`; a missing one is written when it is asked for. */
export class GoldenFile {
  private readonly entries: Record<string, GoldenEntry>;

  constructor(private readonly path: URL) {
    this.entries = JSON.parse(readFileSync(path, 'utf8')) as Record<string, GoldenEntry>;
  }

  find(name: string): GoldenEntry | undefined {
    return this.entries[name];
  }

  /** Keeps an entry; the caller fails all the same, so that nobody renews by accident. */
  write(name: string, entry: GoldenEntry): void {
    this.entries[name] = entry;
    const sorted = Object.entries(this.entries).toSorted(([a], [b]) => (a < b ? -1 : 1));
    writeFileSync(this.path, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
  }
}
