import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanupOnce } from '../lib/cleanup.mjs';
import { PEERS } from '../peers/tools.mjs';
import { namesWith, PEER_ROUNDS } from './command-line.mjs';
import { codecRows } from './peers/codecs.mjs';
import { cutoutRows } from './peers/cutouts.mjs';
import { documentHead, documentTable } from './documents/peers.mjs';
import { enlargeRows } from './peers/enlarge.mjs';
import { pictures } from './peers/pictures.mjs';

const GROUPS = { cutouts: cutoutRows, enlarge: enlargeRows, codecs: codecRows };

/**
 * Compares the service with other programs on the same pictures and the same cores. The programs take turns, so the
 * ratios hold on a busy machine. Programs that are not installed are listed instead of measured. `--markdown` prints
 * tables for docs/performance.md.
 */
export async function run({ json, markdown, only, photos, rounds }) {
  const wanted = namesWith(only, Object.keys(GROUPS));
  if (!existsSync(PEERS.python))
    process.stderr.write('No other programs are installed. Run "npm run peers:setup" first.\n');
  const folder = await mkdtemp(join(tmpdir(), 'ies-peers-'));
  const removeFolder = cleanupOnce(() => rm(folder, { recursive: true, force: true }));
  try {
    const bench = { rounds, folder, pictures: await pictures(photos) };
    if (markdown) process.stdout.write(documentHead(commandOf({ only, photos, rounds }), rounds));
    else if (!json) process.stdout.write(`${availableParallelism()} cores, medians of ${rounds} turns\n`);
    const all = [];
    for (const group of wanted) {
      for await (const { title, rows, missing } of GROUPS[group](bench)) {
        all.push({ title, rows, missing });
        if (markdown) process.stdout.write(documentTable(all.at(-1)));
        else if (!json) process.stdout.write(table(title, rows, missing));
      }
    }
    if (json && !markdown) process.stdout.write(`${JSON.stringify(all)}\n`);
  } finally {
    await removeFolder();
  }
}

/** The command that repeats the measurement. Omits the folder of photos, which exists only on this machine. */
function commandOf({ only, photos, rounds }) {
  const options = [
    only === '' ? '' : ` --only ${only}`,
    photos === undefined ? '' : ' --photos DIR',
    rounds === PEER_ROUNDS ? '' : ` --rounds ${rounds}`,
  ];
  return `npm run bench -- peers${options.join('')}`;
}

/** The last column shows how many times faster the first row is than this row. */
function table(title, rows, missing) {
  const head = `\n${title}\n${'program'.padEnd(44)} ${'pictures/s'.padStart(10)} ${'lowest–highest'.padStart(16)} ${'CPU s'.padStart(7)} ${'MB'.padStart(6)}  first row is\n`;
  const line = ({ name, perSecond, lowest, highest, cpuSeconds, memoryMb }, index) =>
    [
      name.padEnd(44),
      perSecond.toFixed(2).padStart(10),
      `${lowest.toFixed(2)}–${highest.toFixed(2)}`.padStart(16),
      cpuSeconds.toFixed(3).padStart(7),
      memoryMb.toFixed(0).padStart(6),
      index === 0 ? '' : ` ${(rows[0].perSecond / perSecond).toFixed(2)} ×`,
    ].join(' ');
  const lines = rows.map((row, index) => `${line(row, index)}\n`);
  return head + lines.join('') + missing.map((text) => `missing: ${text}\n`).join('');
}
