import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../../scripts/lib/paths.mjs';

/** A fenced block of a document. */
export interface CodeBlock {
  readonly language: string;
  readonly code: string;
  /** The heading above it. */
  readonly headline: string;
}

/** Every fenced block of a document of this repository, so that a test can run what it shows. */
export function codeBlocks(path: string): readonly CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let headline = '';
  let open: { language: string; lines: string[] } | undefined;
  for (const line of readFileSync(join(ROOT, path), 'utf8').split('\n')) {
    const fence = /^```(\w*)$/.exec(line);
    if (fence !== null && open === undefined) open = { language: fence[1]!, lines: [] };
    else if (fence !== null && open !== undefined) {
      blocks.push({ language: open.language, code: `${open.lines.join('\n')}\n`, headline });
      open = undefined;
    } else if (open !== undefined) open.lines.push(line);
    else headline = /^#+ (.*)$/.exec(line)?.[1] ?? headline;
  }
  return blocks;
}

/** The only block under a heading. @throws Error when there is none or several */
export function codeBlock(path: string, headline: string, language: string): string {
  const found = codeBlocks(path).filter(
    (block) => block.headline === headline && block.language === language,
  );
  if (found.length !== 1) throw new Error(`${path}: ${found.length} ${language} blocks under "${headline}"`);
  return found[0]!.code;
}
