import { escapeHtml } from './html-text.js';
import type { Heading } from './markdown.js';
import { SITE_GROUPS, type SiteGroup } from './site-catalog.js';
import { rootOf } from './site-links.js';

export interface ShellContent {
  /** The path below `/docs`: empty for the start page. */
  readonly path: string;
  readonly title: string;
  readonly summary: string;
  readonly html: string;
  readonly headings: readonly Heading[];
  /** Whether `/docs/<path>.md` exists. */
  readonly hasMarkdown: boolean;
  /** The query, on the page of a search. */
  readonly query?: string;
}

/** The groups of operations in the sidebar, below the link to the API reference. */
export type ReferenceLinks = readonly { readonly path: string; readonly label: string }[];

const NAME = 'Image Enhancement';

/** A complete page around its content. It has no inline scripts or styles, and loads nothing from another origin. */
export function pageHtml(content: ShellContent, reference: ReferenceLinks): string {
  const root = rootOf(content.path);
  const title = content.path === '' ? `${NAME} documentation` : `${content.title} · ${NAME} documentation`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escapeHtml(content.summary)}">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${root}docs/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${root}docs/site.css">
<script src="${root}docs/site.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
${header(root, content.query ?? '')}
<div class="frame">
${sidebar(content.path, root, reference)}
<main id="content" tabindex="-1">
<article>
${content.html}
</article>
${footer(content, root)}
</main>
${contents(content.headings)}
</div>
</body>
</html>
`;
}

function header(root: string, query: string): string {
  return `<header>
<a class="brand" href="${root}docs"><img src="${root}docs/favicon.svg" alt="" width="24" height="24"> ${NAME} <span>Docs</span></a>
<form class="search" role="search" action="${root}docs/search" method="get">
<input type="search" name="q" value="${escapeHtml(query)}" placeholder="Search" aria-label="Search the documentation" autocomplete="off" maxlength="100">
<div class="hits" hidden></div>
</form>
<div class="tools"><button class="theme" type="button" hidden>Theme</button> <a href="${root === '' ? './' : root}">Dashboard</a></div>
</header>`;
}

/** A list that expands on a phone, without a script. */
function sidebar(path: string, root: string, reference: ReferenceLinks): string {
  const groups = SITE_GROUPS.map((group) => groupHtml(group, path, root, reference)).join('\n');
  return `<nav class="sidebar" aria-label="Documentation">
<input type="checkbox" id="menu" class="menu" aria-label="Show all pages"><label for="menu">All pages</label>
<div class="groups">
${groups}
</div>
</nav>`;
}

function groupHtml(
  { title, pages }: SiteGroup,
  path: string,
  root: string,
  reference: ReferenceLinks,
): string {
  const items = pages.map(({ name, label }) => {
    const inner = name === 'reference' && path.startsWith('reference') ? subList(path, root, reference) : '';
    return `<li>${link(name, label, path, root)}${inner}</li>`;
  });
  return `<h2>${title}</h2>\n<ul>${items.join('')}</ul>`;
}

const subList = (path: string, root: string, reference: ReferenceLinks): string =>
  `<ul>${reference.map((each) => `<li>${link(each.path, each.label, path, root)}</li>`).join('')}</ul>`;

const link = (name: string, label: string, path: string, root: string): string =>
  `<a href="${root}docs/${name}"${name === path ? ' aria-current="page"' : ''}>${escapeHtml(label)}</a>`;

function contents(headings: readonly Heading[]): string {
  if (headings.length < 2) return '<div class="contents"></div>';
  const items = headings.map(
    ({ id, level, text }) =>
      `<li class="level-${level}"><a href="#${escapeHtml(id)}">${escapeHtml(text)}</a></li>`,
  );
  return `<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>${items.join('')}</ul></nav>`;
}

function footer({ path, hasMarkdown }: ShellContent, root: string): string {
  const markdown = hasMarkdown ? `<a href="${root}docs/${path}.md">This page as Markdown</a> ` : '';
  return `<footer>${markdown}<a href="${root}llms.txt">llms.txt</a> <a href="${root}openapi.json">OpenAPI</a> <a href="${root}docs/postman.json">Postman</a></footer>`;
}
