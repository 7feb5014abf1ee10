import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ModelVersion } from '../repository/model-version.js';
import { runtimeVersions } from '../../inference/engines/runtime-versions.js';
import { CHECK_REVISION } from '../check/verdict.js';
import type { ModelFault } from './model-fault.js';

interface Verdict {
  /** Null for a version that runs. */
  readonly reason: string | null;
  readonly at: string;
}

/** More are of versions that nobody has any more. */
const KEPT = 500;

/** What a verdict depends on beside the version itself. */
export interface VerdictTerms {
  /** What the trial runs on, for example `cpu`. */
  readonly device: string;
  /** How much memory the trial may take. */
  readonly memoryLimitBytes: number;
  /** Of the check that finds it; default: of this program's. */
  readonly checkRevision?: number;
}

/**
 * What the trial runs of model versions found, kept in DATA_DIR: a version that crashed the process that tried it is
 * not tried again by the next one. A verdict is about these very files, golden images among them, by this very check
 * on this very device, runtime and memory limit.
 * What may pass (memory was short, it took too long) is kept for the life of this process alone.
 */
export class ModelVerdicts {
  private readonly path: string;
  private readonly terms: readonly unknown[];
  private readonly transient = new Map<string, string>();
  private written: Promise<void> = Promise.resolve();

  constructor(dataDir: string, { device, memoryLimitBytes, checkRevision = CHECK_REVISION }: VerdictTerms) {
    this.path = join(dataDir, 'model-checks.json');
    this.terms = [checkRevision, device, memoryLimitBytes, process.version, runtimeVersions()];
  }

  /** Why a version cannot serve; undefined when nothing speaks against it so far. */
  reason(version: ModelVersion): string | undefined {
    const key = this.key(version);
    return this.transient.get(key) ?? this.read()[key]?.reason ?? undefined;
  }

  /** Whether it was tried. */
  has(version: ModelVersion): boolean {
    const key = this.key(version);
    return this.transient.has(key) || key in this.read();
  }

  /** @param fault null when it runs */
  async note(version: ModelVersion, fault: ModelFault | null): Promise<void> {
    const key = this.key(version);
    if (fault?.isTransient === true) {
      this.transient.set(key, fault.reason);
      return;
    }
    this.transient.delete(key);
    const verdict: Verdict = { reason: fault?.reason ?? null, at: new Date().toISOString() };
    await this.change((known) => ({ ...known, [key]: verdict }));
  }

  /** Gives what was refused another chance. */
  async forgetRefusals(): Promise<void> {
    this.transient.clear();
    await this.change((known) =>
      Object.fromEntries(Object.entries(known).filter(([, { reason }]) => reason === null)),
    );
  }

  private key({ manifest, version, identity, goldenSha256 }: ModelVersion): string {
    const subject = JSON.stringify([...this.terms, manifest, version, identity.sha256, goldenSha256]);
    return createHash('sha256').update(subject).digest('hex');
  }

  /** Read each time: other workers write it too. One that cannot be read costs a trial run. */
  private read(): Record<string, Verdict> {
    try {
      return JSON.parse(readFileSync(this.path, 'utf8')) as Record<string, Verdict>;
    } catch {
      return {};
    }
  }

  /** One after the other: versions of several operations are tried side by side. */
  private change(changed: (known: Record<string, Verdict>) => Record<string, Verdict>): Promise<void> {
    const written = this.written.then(() => this.write(changed(this.read())));
    this.written = written.catch(() => undefined);
    return written;
  }

  private async write(verdicts: Record<string, Verdict>): Promise<void> {
    const newest = Object.entries(verdicts)
      .toSorted(([, a], [, b]) => (a.at < b.at ? 1 : -1))
      .slice(0, KEPT);
    const draft = `${this.path}.${process.pid}`;
    await writeFile(draft, `${JSON.stringify(Object.fromEntries(newest), null, 1)}\n`);
    await rename(draft, this.path);
  }
}
