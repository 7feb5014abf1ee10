import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../lib/paths.mjs';
import { sourceEpochSeconds } from './source-epoch.mjs';

/**
 * The packages of the images as npm describes them, in the CycloneDX format. Without the serial number and the time, so
 * that the same sources always give the same document.
 * @param {readonly string[]} folders of the packages in the images, whether as separate files or packed
 */
export function billOfMaterials(folders) {
  const bom = describedByNpm();
  const held = new Set(folders.map(reference));
  const root = bom.metadata.component['bom-ref'];
  bom.components = bom.components.filter((component) => held.has(component['bom-ref']));
  bom.dependencies = bom.dependencies
    .filter(({ ref }) => ref === root || held.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => held.has(each)) }));
  delete bom.serialNumber;
  bom.metadata.timestamp = new Date(sourceEpochSeconds() * 1_000).toISOString();
  // npm uses the name of the folder instead.
  bom.metadata.component.name = 'image-enhancement-service';
  return bom;
}

/**
 * Describes all packages in the lock file, because with `--omit=dev`, npm also omits packages that production and
 * development share.
 */
function describedByNpm() {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--loglevel=error'];
  return JSON.parse(execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 }));
}

/** npm's identifier of a package. */
function reference(folder) {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return `${name}@${version}`;
}
