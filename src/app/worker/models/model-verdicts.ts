import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ModelVersion } from '../../../catalog/model-version.js';

interface Verdict {
  /** Null for a version that runs. */
  readonly reason: string | null;
  readonly at: string;
}

/** More are of versions that nobody has any more. */
const KEPT = 500;

/**
 * What the trial runs of model versions found, kept in DATA_DIR: a version that crashed the process that tried it is
 * not tried again by the next one. A verdict is about these very files on this very device.
 */
export class ModelVerdicts {
  private readonly path: string;

  /** @param device what the trial runs on, for example `cpu` */
  constructor(
    dataDir: string,
    private readonly device: string,
  ) {
    this.path = join(dataDir, 'model-checks.json');
  }

  /** Why a version cannot serve; undefined when nothing speaks against it so far. */
  reason(version: ModelVersion): string | undefined {
    return this.read()[this.key(version)]?.reason ?? undefined;
  }

  /** Whether it was tried. */
  has(version: ModelVersion): boolean {
    return this.key(version) in this.read();
  }

  /** @param reason null when it runs */
  async note(version: ModelVersion, reason: string | null): Promise<void> {
    const verdict: Verdict = { reason, at: new Date().toISOString() };
    await this.write({ ...this.read(), [this.key(version)]: verdict });
  }

  /** Gives what was refused another chance. */
  async forgetRefusals(): Promise<void> {
    const sound = Object.entries(this.read()).filter(([, { reason }]) => reason === null);
    await this.write(Object.fromEntries(sound));
  }

  private key({ manifest, version, identity }: ModelVersion): string {
    const subject = JSON.stringify([this.device, process.version, manifest, version, identity.sha256]);
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

  private async write(verdicts: Record<string, Verdict>): Promise<void> {
    const newest = Object.entries(verdicts)
      .toSorted(([, a], [, b]) => (a.at < b.at ? 1 : -1))
      .slice(0, KEPT);
    const draft = `${this.path}.${process.pid}`;
    await writeFile(draft, `${JSON.stringify(Object.fromEntries(newest), null, 1)}\n`);
    await rename(draft, this.path);
  }
}
