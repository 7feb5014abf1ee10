import { dateText, machineText, markdownTable } from './markdown.mjs';

/** Short steps that share a row. */
const TOGETHER = { 'load, store': ['load', 'store'], 'complete, between': ['complete', 'between', 'claim'] };

/**
 * CPU time of one job by step, with a column for each operation, for docs/performance.md.
 * @param {string} size name of the size
 * @param {readonly { operation: string, jobs: number, cpuMs: number, steps: Record<string, Record<string, number>>
 *   }[]} rows
 * @param {string} only the selection on the command line
 */
export function documentTable(size, rows, only) {
  if (rows.length === 0) return '';
  const columns = rows.map(({ steps }) => named(steps));
  const names = [...new Set(columns.flatMap((column) => Object.keys(column)))];
  const total = (name) => columns.reduce((sum, column) => sum + (column[name] ?? 0), 0);
  const last = (name) => (name in TOGETHER ? 1 : 0);
  const ordered = names.toSorted((a, b) => last(a) - last(b) || total(b) - total(a));
  const body = ordered.map((name) => [name].concat(columns.map((column) => whole(column[name]))));
  const all = ['**all**', ...rows.map(({ cpuMs }) => `**${cpuMs.toFixed(0)}**`)];
  const command = `npm run bench -- profile${only === '' ? '' : ` --only ${only}`} --markdown`;
  const head = `\`${command}\` on ${dateText()}, ${machineText()}; ${size}, ms of CPU time, mean of ${rows[0].jobs}:\n\n`;
  return `${head}${markdownTable(['step', ...rows.map(({ operation }) => operation)], [...body, all])}\n`;
}

/** Milliseconds by row name. */
function named(steps) {
  const column = {};
  for (const [step, threads] of Object.entries(steps)) {
    const name = Object.keys(TOGETHER).find((each) => TOGETHER[each].includes(step)) ?? step;
    column[name] = (column[name] ?? 0) + Object.values(threads).reduce((sum, ms) => sum + ms, 0);
  }
  return column;
}

const whole = (ms) => (ms === undefined || ms < 0.5 ? '' : ms.toFixed(0));
