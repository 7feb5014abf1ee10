import { measured, remark } from '../verdict.mjs';

/**
 * A row of the results.
 * @param {{ first: object, second: object }} [details] summaries of the two sides of a comparison
 * @param {readonly string[]} [names] of the two sides
 */
export function row(what, value, unit, promise, details, names = ['service', 'bare']) {
  const judged = measured(what, value, unit, promise);
  if (details === undefined) return judged;
  return { ...judged, sides: { [names[0]]: details.first, [names[1]]: details.second } };
}

export function table(rows) {
  const lines = rows.map(({ what, unit, sides = {}, ...judged }) => {
    const details = Object.entries(sides).map(
      ([name, part]) =>
        `    ${name.padEnd(11)} ${part.perSecond.toFixed(0).padStart(6)}/s   median ${part.medianMs.toFixed(2)} ms   p99 ${part.p99Ms.toFixed(2)} ms`,
    );
    const head = `${what.padEnd(68)} ${judged.value.toFixed(2).padStart(8)} ${unit}${remark(judged)}`;
    return [head, ...details].join('\n');
  });
  return `${lines.join('\n')}\n`;
}
