import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { webAddress } from '../files/file-input.js';

/** The local sources of a run. Each is looked at once, because a run may have thousands, and as many results. */
export class SourceFiles {
  /** Also kept as paths, because a source may be replaced while the run works. */
  private readonly paths: ReadonlySet<string>;
  private identities: ReadonlySet<string> | undefined;

  constructor(files: readonly string[]) {
    const isLocal = (file: string) => file !== '-' && webAddress(file) === undefined;
    this.paths = new Set(files.filter(isLocal).map((file) => resolve(file)));
  }

  /** Whether a path leads to a source, even under another name of the file, such as a link or in different case. */
  has(path: string): boolean {
    if (this.paths.has(resolve(path))) return true;
    this.identities ??= new Set([...this.paths].flatMap((source) => identityOf(source) ?? []));
    const identity = identityOf(path);
    return identity !== undefined && this.identities.has(identity);
  }
}

/** Undefined when there is no such file, or it cannot be looked at. */
function identityOf(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev} ${ino}`;
  } catch {
    return undefined;
  }
}
