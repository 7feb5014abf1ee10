import { escapeHtml } from './html-text.js';
import { SITE_GROUPS } from './site-catalog.js';
import type { ShellContent } from './site-shell.js';

const INTRODUCTION =
  'Skin smoothing, upscaling, automatic enhancement and background removal behind one durable API.';

/** The page `/docs`: where to begin, and every page with a summary. */
export function startPage(): ShellContent {
  const groups = SITE_GROUPS.map(
    ({ title, pages }) =>
      `<h2>${title}</h2>\n<ul class="cards">${pages
        .map(
          ({ name, label, summary }) =>
            `<li><a href="docs/${name}">${escapeHtml(label)}</a><p>${escapeHtml(summary)}</p></li>`,
        )
        .join('')}</ul>`,
  );
  const html = `<h1>Image Enhancement documentation</h1>
<p class="lead">${INTRODUCTION}</p>
<p class="actions"><a class="primary" href="docs/quickstart">Quickstart</a> <a href="docs/reference">API reference</a></p>
${groups.join('\n')}`;
  return { path: '', title: 'Documentation', summary: INTRODUCTION, html, headings: [], hasMarkdown: false };
}

/** `/llms.txt` (https://llmstxt.org): all pages as Markdown. @param baseUrl of the service, without a trailing slash */
export function llmsText(baseUrl: string): string {
  const groups = SITE_GROUPS.map(({ title, pages }) => {
    const lines = pages
      .filter(({ file }) => file !== undefined)
      .map(({ name, label, summary }) => `- [${label}](${baseUrl}/docs/${name}.md): ${summary}`);
    return `## ${title}\n\n${lines.join('\n')}`;
  });
  const contract = `## API\n\n- [OpenAPI document](${baseUrl}/openapi.json): Every operation, with schemas and samples.`;
  return `# Image Enhancement Service\n\n> ${INTRODUCTION}\n\n${[...groups, contract].join('\n\n')}\n`;
}
