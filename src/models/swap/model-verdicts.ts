import { createHash } from 'node:crypto';
import type { Refusal } from '../repository/catalog.js';
import type { ModelVersion } from '../repository/model-version.js';
import { refusalOf } from '../repository/read-version.js';
import { refusalReason } from '../repository/refusal-reason.js';
import type { VerdictStore } from '../serving/verdicts-table.js';
import type { PrecisionChoice } from '../../inference/engines/precision.js';
import { runtimeVersions } from '../../inference/engines/runtime-versions.js';
import { CHECK_REVISION } from '../check/verdict.js';
import { hardwareName } from './hardware-name.js';
import { isFaultOfModel, type ModelFault } from './model-fault.js';

/** A refusal for the lifetime of this process. */
interface TransientVerdict {
  readonly version: ModelVersion;
  readonly reason: string;
  readonly isUnfit: boolean;
}

/** The conditions on which a verdict depends, in addition to the version itself. */
export interface VerdictTerms {
  /** The device of the trial, for example `cpu`. */
  readonly device: string;
  /** The precision of the trial. Default: `auto`. */
  readonly precision?: PrecisionChoice;
  /** Memory limit of the trial. */
  readonly memoryLimitBytes: number;
  /** Revision of the check. Default: that of this program. */
  readonly checkRevision?: number;
}

/**
 * The results of trial runs of model versions, stored for all workers of an installation: a version that crashed the
 * process that tried it is not tried again by the next one. A verdict is valid only for exactly the same files,
 * including golden images, and the same check, device, precision, hardware, runtime and memory limit. Verdicts with a
 * temporary cause (too little memory or time, an inference server) are kept only for the lifetime of this process.
 */
export class ModelVerdicts {
  private readonly terms: readonly unknown[];
  private readonly transient = new Map<string, TransientVerdict>();
  private readonly noted = new Map<string, string | null>();
  /** Stored verdicts as of the last `refresh`. */
  private read: ReadonlyMap<string, string | null> = new Map();

  constructor(
    private readonly store: VerdictStore,
    { device, precision = 'auto', memoryLimitBytes, checkRevision = CHECK_REVISION }: VerdictTerms,
  ) {
    this.terms = [
      checkRevision,
      device,
      precision,
      hardwareName(),
      memoryLimitBytes,
      process.version,
      runtimeVersions(),
    ];
  }

  /** Reads the verdicts of other workers. @throws the store's error */
  async refresh(): Promise<void> {
    this.read = await this.store.read();
  }

  /** Why a version cannot serve; undefined when no reason is known so far. */
  reason(version: ModelVersion): string | undefined {
    const key = this.key(version);
    return this.transient.get(key)?.reason ?? this.kept(key) ?? undefined;
  }

  /** Whether a version was tried. */
  has(version: ModelVersion): boolean {
    const key = this.key(version);
    return this.transient.has(key) || this.kept(key) !== undefined;
  }

  /**
   * Versions that were refused because of their inference server, and should be tried again.
   * @param refusals those in force
   */
  unfit(refusals: readonly Refusal[]): readonly ModelVersion[] {
    return [...this.transient.values()].flatMap(({ version, reason, isUnfit }) => {
      const { message } = refusalOf(version.manifest.operation, String(version.version), reason);
      return isUnfit && refusals.some((refusal) => refusal.message === message) ? [version] : [];
    });
  }

  /** Stores a verdict. @param fault null when the version runs @throws the store's error */
  async note(version: ModelVersion, fault: ModelFault | null): Promise<void> {
    const key = this.key(version);
    const reason = fault === null ? null : refusalReason(fault.reason);
    if (reason !== null && fault?.isTransient === true) {
      this.transient.set(key, { version, reason, isUnfit: isFaultOfModel(fault) });
      return;
    }
    const { operation } = version.manifest;
    await this.store.write({ key, operation, version: version.version, reason });
    this.transient.delete(key);
    this.noted.set(key, reason);
  }

  /** Forgets refusals, so that the refused versions are tried again. @throws the store's error */
  async forgetRefusals(): Promise<void> {
    this.transient.clear();
    this.noted.clear();
    await this.store.forgetRefusals();
    await this.refresh();
  }

  private kept(key: string): string | null | undefined {
    // Not `??`, because null is a verdict.
    return this.noted.has(key) ? this.noted.get(key) : this.read.get(key);
  }

  private key({ manifest, version, identity, goldenSha256 }: ModelVersion): string {
    const subject = JSON.stringify([...this.terms, manifest, version, identity.sha256, goldenSha256]);
    return createHash('sha256').update(subject).digest('hex');
  }
}
