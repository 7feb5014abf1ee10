import type { Finding, FindingStatus } from './finding.js';

const MARKS: Readonly<Record<FindingStatus, string>> = { ok: '✓', note: '–', missing: '✗' };

/** The findings as text for a terminal: a line for each, the advice below it, and a summary. */
export function reportText(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ area }) => area.length));
  const lines = findings.flatMap(({ area, status, text, advice }) => [
    `${MARKS[status]} ${area.padEnd(width)}  ${text}`,
    ...(advice === undefined ? [] : [`${' '.repeat(width + 4)}→ ${advice}`]),
  ]);
  return [...lines, '', conclusion(findings)].join('\n');
}

function conclusion(findings: readonly Finding[]): string {
  const missing = findings.filter(({ status }) => status === 'missing').length;
  if (missing > 0)
    return `${missing} required ${missing === 1 ? 'item is' : 'items are'} missing (✗). See above for details.`;
  const computing = findings.flatMap(({ area, status, text }) =>
    area === 'devices' && status === 'ok' && text.endsWith(' computes') ? [text.split(' ')[0]!] : [],
  );
  return `The service can run here, on ${computing.join(', ')}.`;
}
