import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCatalogs } from '@lingui/cli/api';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { linguiConfig } from '../../scripts/lib/lingui.mjs';
import { ROOT } from '../../scripts/lib/paths.mjs';

const SOURCES = join(ROOT, 'web', 'src');
/** Attributes that users read or hear. */
const READ = new Set([
  'title',
  'aria-label',
  'label',
  'description',
  'placeholder',
  'alt',
  'text',
  'action',
  'note',
]);
/** Names that are the same in every language. */
const NAMES = new Set(['Image Enhancement', 'g']);
const LETTER = /\p{L}/u;

/** JSX texts that are missing from the catalog, as `file:line text`. */
function untranslatable(path: string): string[] {
  const file = ts.createSourceFile(
    path,
    readFileSync(join(SOURCES, path), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  const found: string[] = [];
  const add = (node: ts.Node, text: string) => {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    if (LETTER.test(text) && !NAMES.has(text.trim())) found.push(`${path}:${line + 1} ${text.trim()}`);
  };
  /** Adds the words in templates that are not marked with `t`. */
  const addTemplates = (node: ts.Node): void => {
    if (ts.isTaggedTemplateExpression(node) || ts.isJsxElement(node)) return;
    if (ts.isTemplateExpression(node))
      for (const { text } of [node.head, ...node.templateSpans.map(({ literal }) => literal)])
        add(node, text);
    ts.forEachChild(node, addTemplates);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isJsxElement(node) && node.openingElement.tagName.getText() === 'Trans') return;
    if (ts.isJsxText(node)) add(node, node.text);
    if (ts.isJsxAttribute(node) && READ.has(node.name.getText())) {
      const value = node.initializer;
      if (value !== undefined && ts.isStringLiteral(value)) add(node, value.text);
      if (value !== undefined && ts.isJsxExpression(value)) addTemplates(value);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

const placeholders = (text: string) =>
  [...new Set(text.match(/\{\w+(?=[,}])|<\/?\d+\/?>/g) ?? [])].toSorted((a, b) => a.localeCompare(b));

describe('texts of the dashboard', () => {
  it('are all marked for translation', () => {
    const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' });
    expect(files.filter((path) => path.endsWith('.tsx')).flatMap(untranslatable)).toEqual([]);
  });

  it('are all in the German catalog, with the same placeholders', async () => {
    const [found] = await getCatalogs(linguiConfig());
    const [used, german] = await Promise.all([found?.collect(), found?.read('de')]);
    // By id: the same text has an id for each context.
    const texts = Object.entries(used ?? {}).map(([id, { message, context }]) => ({
      text: message ?? '',
      context,
      translation: german?.[id]?.translation ?? '',
    }));
    expect(texts.length).toBeGreaterThan(500);
    // "npm run texts" adds the missing ones to web/src/locales/de.po.
    expect(texts.filter(({ translation }) => translation === '')).toEqual([]);
    expect(
      texts.filter(
        ({ text, translation }) => placeholders(text).join(' ') !== placeholders(translation).join(' '),
      ),
    ).toEqual([]);
  });

  it('have a space before a German ellipsis, unless it shortens a word', async () => {
    const [found] = await getCatalogs(linguiConfig());
    const texts = Object.values((await found?.read('de')) ?? {}).map(({ translation }) => translation ?? '');
    expect(texts.some((text) => text.endsWith(' …'))).toBe(true);
    expect(texts.filter((text) => /\p{L}{2}…$/u.test(text))).toEqual([]);
  });
});
