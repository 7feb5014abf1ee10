import { createHash } from 'node:crypto';
import type { ModelVersion } from '../repository/model-version.js';
import type { VerdictStore } from '../serving/verdicts-table.js';
import { runtimeVersions } from '../../inference/engines/runtime-versions.js';
import { CHECK_REVISION } from '../check/verdict.js';
import { hardwareName } from './hardware-name.js';
import type { ModelFault } from './model-fault.js';

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
 * What the trial runs of model versions found, kept for all workers of an installation: a version that crashed the
 * process that tried it is not tried again by the next one. A verdict is about these very files, golden images among
 * them, by this very check on this very device, hardware, runtime and memory limit.
 * What may pass (memory was short, it took too long) is kept for the life of this process alone.
 */
export class ModelVerdicts {
  private readonly terms: readonly unknown[];
  private readonly transient = new Map<string, string>();
  private readonly noted = new Map<string, string | null>();
  /** As of the last `refresh`. */
  private read: ReadonlyMap<string, string | null> = new Map();

  constructor(
    private readonly store: VerdictStore,
    { device, memoryLimitBytes, checkRevision = CHECK_REVISION }: VerdictTerms,
  ) {
    this.terms = [
      checkRevision,
      device,
      hardwareName(),
      memoryLimitBytes,
      process.version,
      runtimeVersions(),
    ];
  }

  /** Reads what other workers have found. @throws the store's error */
  async refresh(): Promise<void> {
    this.read = await this.store.read();
  }

  /** Why a version cannot serve; undefined when nothing speaks against it so far. */
  reason(version: ModelVersion): string | undefined {
    const key = this.key(version);
    return this.transient.get(key) ?? this.kept(key) ?? undefined;
  }

  /** Whether it was tried. */
  has(version: ModelVersion): boolean {
    const key = this.key(version);
    return this.transient.has(key) || this.kept(key) !== undefined;
  }

  /** @param fault null when it runs @throws the store's error */
  async note(version: ModelVersion, fault: ModelFault | null): Promise<void> {
    const key = this.key(version);
    if (fault?.isTransient === true) {
      this.transient.set(key, fault.reason);
      return;
    }
    const reason = fault?.reason ?? null;
    const { operation } = version.manifest;
    await this.store.write({ key, operation, version: version.version, reason });
    this.transient.delete(key);
    this.noted.set(key, reason);
  }

  /** Gives what was refused another chance. @throws the store's error */
  async forgetRefusals(): Promise<void> {
    this.transient.clear();
    this.noted.clear();
    await this.store.forgetRefusals();
    await this.refresh();
  }

  private kept(key: string): string | null | undefined {
    // Not `??`: null is a verdict.
    return this.noted.has(key) ? this.noted.get(key) : this.read.get(key);
  }

  private key({ manifest, version, identity, goldenSha256 }: ModelVersion): string {
    const subject = JSON.stringify([...this.terms, manifest, version, identity.sha256, goldenSha256]);
    return createHash('sha256').update(subject).digest('hex');
  }
}
