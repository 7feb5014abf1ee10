const SHOWN = 10;

/** Describes the result of a check. */
export function describeResult({ violations, figures }, { seed, historyPath }) {
  const lines = Object.entries(figures).map(([name, value]) => `  ${name}: ${value}`);
  if (violations.length === 0) return ['No promise was broken.', ...lines].join('\n');
  const broken = violations.flatMap(({ promise, found }) => [
    `✗ ${promise}: ${found.length} ${found.length === 1 ? 'violation' : 'violations'}`,
    ...found.slice(0, SHOWN).map((text) => `    ${text}`),
    ...(found.length > SHOWN ? [`    … and ${found.length - SHOWN} more`] : []),
  ]);
  const where = [
    `seed ${seed}`,
    `history ${historyPath}`,
    `check again: npm run chaos -- --check ${historyPath}`,
  ];
  return [...broken, ...lines, ...where].join('\n');
}
