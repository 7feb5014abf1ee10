import MarkdownIt, { type Token } from 'markdown-it';
import { colorCode } from './code-colors.js';
import { escapeHtml } from './html-text.js';

/** A heading of a page. */
export interface Heading {
  readonly level: number;
  /** The anchor, in GitHub's format. */
  readonly id: string;
  readonly text: string;
}

/** A unit of the search index: the text below one heading. */
export interface Section extends Heading {
  readonly body: string;
}

export interface RenderedMarkdown {
  readonly title: string;
  readonly html: string;
  readonly headings: readonly Heading[];
  readonly sections: readonly Section[];
}

const markdown = new MarkdownIt({ html: true });
markdown.renderer.rules['fence'] = (tokens, index) => {
  const { content, info } = tokens[index]!;
  return codeHtml(content, info.trim().split(/\s+/)[0] ?? '');
};
// The Content-Security-Policy allows no inline styles, so a wrapper element lets wide tables scroll.
markdown.renderer.rules['table_open'] = () => '<div class="table" tabindex="0"><table>';
markdown.renderer.rules['table_close'] = () => '</table></div>';
for (const name of ['th_open', 'td_open']) {
  markdown.renderer.rules[name] = (tokens, index) => {
    const align = /text-align:\s*(\w+)/.exec(String(tokens[index]!.attrGet('style') ?? ''))?.[1];
    return `<${tokens[index]!.tag}${align === undefined ? '' : ` class="${align}"`}>`;
  };
}

/** A code block that scrolls and is focusable with the keyboard. */
export function codeHtml(code: string, language: string): string {
  return `<pre tabindex="0"><code class="language-${escapeHtml(language)}">${colorCode(code.trimEnd(), language)}</code></pre>\n`;
}

/** A paragraph or less of Markdown, for descriptions of the API. */
export function inlineMarkdown(text: string): string {
  return markdown.renderInline(text);
}

/** Several paragraphs of Markdown whose links are already resolved. */
export function blockMarkdown(text: string): string {
  return markdown.render(text);
}

/**
 * Renders a document of this repository, whose links are already resolved. Trusts its HTML, because it is part of the
 * release.
 */
export function renderMarkdown(text: string): RenderedMarkdown {
  const tokens = markdown.parse(text, {});
  const headings = nameHeadings(tokens);
  return {
    title: headings.find(({ level }) => level === 1)?.text ?? '',
    html: markdown.renderer.render(tokens, markdown.options, {}),
    headings: headings.filter(({ level }) => level === 2 || level === 3),
    sections: sectionsOf(tokens, headings),
  };
}

/** Gives each heading the same anchor as on GitHub. */
function nameHeadings(tokens: readonly Token[]): Heading[] {
  const used = new Map<string, number>();
  return tokens.flatMap((token, index) => {
    if (token.type !== 'heading_open') return [];
    const text = plainText(tokens[index + 1]!);
    const slug = slugOf(text);
    const count = used.get(slug) ?? 0;
    used.set(slug, count + 1);
    const id = count === 0 ? slug : `${slug}-${count}`;
    token.attrSet('id', id);
    return [{ level: Number(token.tag.slice(1)), id, text }];
  });
}

function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

function sectionsOf(tokens: readonly Token[], headings: readonly Heading[]): Section[] {
  const bodies = headings.map((): string[] => []);
  let at = -1;
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') at += 1;
    else if (at < 0 || tokens[index - 1]?.type === 'heading_open') continue;
    else if (token.type === 'inline') bodies[at]!.push(plainText(token));
    else if (token.type === 'fence') bodies[at]!.push(token.content);
  }
  return headings.map((heading, index) => ({ ...heading, body: bodies[index]!.join(' ') }));
}

const plainText = (inline: Token): string =>
  (inline.children ?? [])
    .filter(({ type }) => ['text', 'code_inline', 'softbreak'].includes(type))
    .map(({ type, content }) => (type === 'softbreak' ? ' ' : content))
    .join('');
