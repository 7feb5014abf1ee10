import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly target: readonly string[] }[];
}

let program: Promise<string> | undefined;

/**
 * Omits details of passed rules, rules whose findings would be dropped below, and the second download of each style
 * sheet, which only two rules that do not run would read.
 */
const OPTIONS = `{
  resultTypes: ['violations'],
  preload: false,
  rules: Object.fromEntries(axe._audit.rules
    .filter(({ impact }) => impact === 'minor' || impact === 'moderate')
    .map(({ id }) => [id, { enabled: false }])),
}`;

/** Only the rules about colors. */
const COLORS = `{
  resultTypes: ['violations'],
  preload: false,
  runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
}`;

/** The accessibility violations that axe-core finds in a page, with their elements. */
export function barriersOf(page: Page): Promise<string[]> {
  return violationsOf(page, OPTIONS);
}

/** The violations that another theme may add to a page without any. */
export function colorBarriersOf(page: Page): Promise<string[]> {
  return violationsOf(page, COLORS);
}

async function violationsOf(page: Page, options: string): Promise<string[]> {
  program ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(await program);
  const { violations } = await page.evaluate<{ violations: Violation[] }>(`axe.run(${options})`);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}
