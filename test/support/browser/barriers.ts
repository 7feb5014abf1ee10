import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly target: readonly string[] }[];
}

let program: Promise<string> | undefined;

/** Omits details of passed rules, and rules whose findings would be dropped below. */
const OPTIONS = `{
  resultTypes: ['violations'],
  rules: Object.fromEntries(axe._audit.rules
    .filter(({ impact }) => impact === 'minor' || impact === 'moderate')
    .map(({ id }) => [id, { enabled: false }])),
}`;

/** The accessibility violations that axe-core finds in a page, with their elements. */
export async function barriersOf(page: Page): Promise<string[]> {
  program ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(await program);
  const { violations } = await page.evaluate<{ violations: Violation[] }>(`axe.run(${OPTIONS})`);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}
