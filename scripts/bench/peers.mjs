import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { PEERS } from '../peers/tools.mjs';
import { codecRows } from './peers/codecs.mjs';
import { cutOutRows } from './peers/cut-outs.mjs';
import { enlargeRows } from './peers/enlarge.mjs';
import { pictures } from './peers/pictures.mjs';

const ROUNDS = 5;
const GROUPS = { 'cut-outs': cutOutRows, enlarge: enlargeRows, codecs: codecRows };

/**
 * The service and other programs on the same pictures and the same cores. Peers take turns, so that ratios hold on a
 * busy machine. Rows of programs that are not installed are left out and named.
 */
export async function run({ json, only, photos, rounds = ROUNDS }) {
  if (!existsSync(PEERS.python))
    process.stderr.write('No other programs are installed. Run "npm run peers:setup" first.\n');
  const folder = await mkdtemp(join(tmpdir(), 'ies-peers-'));
  try {
    const bench = { rounds, folder, pictures: await pictures(photos) };
    if (!json) process.stdout.write(`${availableParallelism()} cores, medians of ${rounds} turns\n`);
    const all = [];
    for (const [group, rowsOf] of Object.entries(GROUPS)) {
      if (!group.includes(only)) continue;
      for await (const { title, rows, missing = [] } of rowsOf(bench)) {
        all.push({ title, rows, missing });
        if (!json) process.stdout.write(table(title, rows, missing));
      }
    }
    if (json) process.stdout.write(`${JSON.stringify(all)}\n`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The first row is ours; the last column says how many times as fast it is as the row. */
function table(title, rows, missing) {
  const head = `\n${title}\n${'program'.padEnd(44)} ${'pictures/s'.padStart(10)} ${'lowest–highest'.padStart(16)} ${'CPU s'.padStart(7)} ${'MB'.padStart(6)}  service is\n`;
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
