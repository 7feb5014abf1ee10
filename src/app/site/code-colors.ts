import { escapeHtml } from './html-text.js';

/** The start of a comment, by language. Code in other languages is not highlighted. */
const COMMENTS: Readonly<Record<string, string>> = {
  bash: String.raw`(?<![^\s])#.*`,
  sh: String.raw`(?<![^\s])#.*`,
  python: '#.*',
  py: '#.*',
  yaml: String.raw`(?<![^\s])#.*`,
  js: String.raw`(?<!:)\/\/.*`,
  ts: String.raw`(?<!:)\/\/.*`,
  javascript: String.raw`(?<!:)\/\/.*`,
  json: '(?!)',
};
const STRING = String.raw`'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|\x60(?:[^\x60\\]|\\.)*\x60`;
const WORD =
  '\\b(?:import|from|const|let|await|async|for|of|in|new|return|if|else|with|as|def|class|True|False|None|true|false|null|export)\\b';

/** Code as HTML. Highlights only comments, strings and keywords, which is enough for short samples. */
export function colorCode(code: string, language: string): string {
  const comment = COMMENTS[language];
  if (comment === undefined) return escapeHtml(code);
  const hasWords = !['bash', 'sh', 'yaml'].includes(language);
  const pattern = new RegExp(`(${comment})|(${STRING})${hasWords ? `|(${WORD})` : ''}`, 'g');
  let html = '';
  let end = 0;
  for (const match of code.matchAll(pattern)) {
    const [text, isComment, isString] = match;
    const kind = isComment !== undefined ? 'comment' : isString !== undefined ? 'text' : 'word';
    html += `${escapeHtml(code.slice(end, match.index))}<span class="c-${kind}">${escapeHtml(text)}</span>`;
    end = match.index + text.length;
  }
  return html + escapeHtml(code.slice(end));
}
