import { cpus, totalmem } from 'node:os';

/**
 * A table for a document. After pasting it, run `npm run format`, so that oxfmt aligns the columns.
 * @param {readonly string[]} head names of the columns; the first is aligned left, the others right
 * @param {readonly (readonly string[])[]} rows
 */
export function markdownTable(head, rows) {
  const rule = head.map((_, index) => (index === 0 ? '---' : '--:'));
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

/** A description of the machine for documents: cores, processor, and memory. */
export function machineText() {
  const [{ model }] = cpus();
  return `${cpus().length} cores of ${model.trim()} with ${Math.round(totalmem() / 2 ** 30)} GiB of memory`;
}

/** Today in UTC. */
export const dateText = () => new Date().toISOString().slice(0, 10);
