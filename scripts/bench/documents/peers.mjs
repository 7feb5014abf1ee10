import { dateText, machineText, markdownTable } from './markdown.mjs';
import { versions } from '../peers/versions.mjs';

const HEAD = ['program', 'pictures/s', 'lowest–highest', 'CPU s', 'MB', 'first row is'];

/** Where, when, and how it was measured, for docs/performance.md. @param {string} command that prints it again */
export function documentHead(command, rounds) {
  const named = Object.entries(versions()).map(([name, version]) => `${name} ${version}`);
  return `\`${command}\` on ${dateText()}, ${machineText()}; medians of ${rounds} turns. Versions: ${named.join(', ')}.\n`;
}

/** @param {{ title: string, rows: readonly object[], missing: readonly string[] }} group */
export function documentTable({ title, rows, missing }) {
  const cells = ({ name, perSecond, lowest, highest, cpuSeconds, memoryMb }, index) => [
    name,
    perSecond.toFixed(2),
    `${lowest.toFixed(2)}–${highest.toFixed(2)}`,
    cpuSeconds.toFixed(3),
    memoryMb.toFixed(0),
    index === 0 ? '' : `${(rows[0].perSecond / perSecond).toFixed(2)} ×`,
  ];
  const notes = missing.map((text) => `\nMissing: ${text}.\n`).join('');
  return `\n${title}:\n\n${markdownTable(HEAD, rows.map(cells))}${notes}`;
}
