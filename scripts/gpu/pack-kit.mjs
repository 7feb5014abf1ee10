import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { kitGroups, stagingVersion } from './kit-groups.mjs';
import { packParts, partsOf, readParts } from './kit-parts.mjs';

/** Names and SHA-256 of all parts, in the format of sha256sum(1). */
const SUMS = 'SHA256SUMS';

/**
 * Packs each group of files into `<folder>/<group>.tar.xz.NNN`. A group with unchanged files is not packed again.
 * Changes of the scripts that choose the files are changes, too.
 * @param {object} order
 * @param {string} order.folder absolute
 * @param {number} order.partBytes largest part
 * @param {boolean} order.withCuda whether to download and pack the CUDA provider
 * @param {number} [order.capability] compute capability of the GPU, such as 90 for 9.0
 * @param {(text: string) => void} order.say
 * @throws SetupError when something to pack is not available
 */
export async function packKit({ folder, partBytes, withCuda, capability, say }) {
  mkdirSync(folder, { recursive: true });
  const groups = kitGroups(capability).filter(({ name }) => withCuda || name !== 'cuda');
  for (const group of groups) {
    const version = `${group.version()} in parts of ${partBytes} by ${stagingVersion()}`;
    if (readParts(folder, group.name)?.version === version) {
      say(`${group.name}: already packed`);
      continue;
    }
    const staged = mkdtempSync(join(folder, `.${group.name}-`));
    try {
      await group.stage(staged, say);
      say(`${group.name}: packing …`);
      const parts = await packParts({ folder, name: group.name, version, staged, partBytes });
      const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
      say(`${group.name}: ${parts.length} parts, ${(bytes / 1e6).toFixed(1)} MB`);
    } finally {
      rmSync(staged, { recursive: true, force: true });
    }
  }
  const listed = groups.flatMap(({ name }) => partsOf(folder, name));
  writeFileSync(join(folder, SUMS), listed.map(({ file, sha256 }) => `${sha256}  ${file}\n`).join(''));
  removeOthers(folder, new Set(listed.map(({ file }) => file)));
  say(
    `${listed.length} parts in ${folder}. Copy them and ${SUMS} to a machine with a checkout, and run scripts/gpu/run.sh there.`,
  );
}

/** Deletes the parts of an earlier kit with other groups or sizes. */
function removeOthers(folder, wanted) {
  for (const name of readdirSync(folder))
    if (/\.tar\.xz\.\d+$/.test(name) && !wanted.has(name)) rmSync(join(folder, name));
}
