import { execFileSync } from 'node:child_process';
import { ROOT } from '../lib/paths.mjs';
import { sourceEpochSeconds } from './source-epoch.mjs';

/**
 * The packages of the service as npm lists them, in the CycloneDX format. What differs between two runs on the same
 * sources is taken out: the serial number and the time.
 */
export function billOfMaterials() {
  const args = [
    'sbom',
    '--sbom-format',
    'cyclonedx',
    '--omit',
    'dev',
    '--package-lock-only',
    '--loglevel=error',
  ];
  const text = execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 });
  const bom = JSON.parse(text);
  delete bom.serialNumber;
  bom.metadata.timestamp = new Date(sourceEpochSeconds() * 1_000).toISOString();
  // npm takes the name of the folder here.
  bom.metadata.component.name = 'image-enhancement-service';
  return bom;
}
