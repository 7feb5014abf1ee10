import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../../scripts/lib/paths.mjs';
import { unreleased } from '../../../scripts/release/changelog.mjs';

/** In the order in which a reader finds them below Added, Changed and Fixed. */
const AREAS = [
  'API and jobs',
  'Images and results',
  'Uploads and storage',
  'Webhooks',
  'Accounts and sign-in',
  'Dashboard',
  'Operator console',
  'Models and workers',
  'Command lines and configuration',
  'Monitoring',
  'Deployment and databases',
  'Development',
];
const KINDS = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];

/** Splits a text at its headings of one level: the text before the first, then heading and text of each. */
function parts(text: string, level: string): [string, ...(readonly [string, string])[]] {
  const [before, ...rest] = `\n${text}`.split(`\n${level} `);
  return [
    before!.trim(),
    ...rest.map((part): [string, string] => {
      const end = `${part}\n`.indexOf('\n');
      return [part.slice(0, end), part.slice(end).trim()];
    }),
  ];
}

const entriesOf = (text: string): string[] =>
  text
    .replaceAll(/^#### .*$/gm, '')
    .split(/^- /m)
    .map((entry) => entry.replaceAll(/\s+/g, ' ').trim())
    .filter((entry) => entry !== '');

describe('the unreleased changes in CHANGELOG.md', () => {
  const [before, ...kinds] = parts(unreleased(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')), '###');

  it('are listed by kind, then by area, in a fixed order', () => {
    expect(before).toBe('');
    const names = kinds.map(([name]) => name);
    expect(names).toEqual(KINDS.filter((kind) => names.includes(kind)));
    for (const [kind, text] of kinds) {
      const [outside, ...areas] = parts(text, '####');
      expect(outside, `entries of ${kind} without an area`).toBe('');
      const headings = areas.map(([name]) => name);
      expect(headings, kind).toEqual(AREAS.filter((area) => headings.includes(area)));
      for (const [area, entries] of areas) expect(entries, `${kind}: ${area}`).toMatch(/^- /);
    }
  });

  it('are listed once', () => {
    const starts = kinds.flatMap(([, text]) => entriesOf(text)).map((entry) => entry.slice(0, 60));
    expect(starts.filter((start, index) => starts.indexOf(start) !== index)).toEqual([]);
  });
});
