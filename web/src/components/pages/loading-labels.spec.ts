import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const SOURCES = join(import.meta.dirname, '../..');
/** An element with the label, from `<` to the end of its first tag. */
const ELEMENT = /<\w+(?:[^<>]|=>)*aria-label=\{t`Loading`\}[^<>]*>/g;

describe('placeholders of what is loading', () => {
  const elements = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.tsx'))
    .flatMap((name) => readFileSync(join(SOURCES, name), 'utf8').match(ELEMENT) ?? []);

  it('have a role, because a label without one is not read aloud (axe: aria-prohibited-attr)', () => {
    // `Loading`, which all pages use, and four placeholders of another shape.
    expect(elements.length).toBe(5);
    expect(elements.filter((element) => !/ role="/.test(element.replaceAll('\n', ' ')))).toEqual([]);
  });
});
