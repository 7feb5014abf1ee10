import { escapeHtml } from '../html-text.js';
import type { SearchEntry } from '../site-search.js';
import type { ReferenceLinks, ShellContent } from '../site-shell.js';
import {
  type ApiOperation,
  type PlacedOperation,
  placedOperations,
  type ReferenceDocument,
} from './api-document.js';
import { anchorOf, operationHtml, type Renderers } from './operation-html.js';

/** The reference of the API: an overview, and a page for each group of operations. */
export interface ApiReference {
  readonly links: ReferenceLinks;
  readonly searchEntries: readonly SearchEntry[];
  /** @param path `reference` or `reference/<group>` */
  page(path: string): Promise<ShellContent | undefined>;
}

interface Group {
  readonly path: string;
  readonly label: string;
  readonly description: string;
  readonly operations: readonly PlacedOperation[];
}

/** @param text the OpenAPI document as JSON */
export function readApiReference(text: string): ApiReference {
  const document = JSON.parse(text) as ReferenceDocument;
  const groups = groupsOf(document);
  return {
    links: groups.map(({ path, label }) => ({ path, label })),
    searchEntries: groups.flatMap(({ path, label, operations }) =>
      operations.map((placed) => entryOf(placed, path, label)),
    ),
    page: async (path) => {
      const group = groups.find((each) => each.path === path);
      if (path === 'reference') return overview(groups, document, await renderers());
      return group === undefined ? undefined : groupPage(group, document, await renderers());
    },
  };
}

function groupsOf(document: ReferenceDocument): Group[] {
  const operations = placedOperations(document.paths);
  const tags = [...new Set(operations.flatMap(({ operation }) => operation.tags ?? []))];
  const groups = tags.map((tag) => ({
    path: `reference/${tag.toLowerCase()}`,
    label: tag,
    description: document.tags.find(({ name }) => name === tag)?.description ?? '',
    operations: operations.filter(({ operation }) => operation.tags?.[0] === tag),
  }));
  const events = {
    path: 'reference/events',
    label: 'Events',
    description: 'What is sent to webhook endpoints',
    operations: placedOperations(document.webhooks),
  };
  return [...groups.toSorted((a, b) => order(a.label) - order(b.label)), events];
}

const ORDER = ['Uploads', 'Jobs', 'Batches', 'Presets', 'Files', 'Usage', 'Webhooks', 'Health'];
const order = (label: string): number => (ORDER.includes(label) ? ORDER.indexOf(label) : ORDER.length);

function entryOf(placed: PlacedOperation, path: string, label: string): SearchEntry {
  const { method, operation } = placed;
  const isEvent = !placed.path.startsWith('/');
  return {
    id: `${path}#${anchorOf(placed)}`,
    page: `API: ${label}`,
    title: isEvent ? placed.path : operation.summary,
    body: `${isEvent ? '' : `${method} ${placed.path} `}${operation.operationId} ${operation.description ?? ''} ${namesIn(operation)}`,
    weight: 1,
  };
}

/** The parameters, headers and scopes of an operation. */
function namesIn({ parameters = [], security = [] }: ApiOperation): string {
  const scopes = security.flatMap((each) => Object.values(each).flat());
  return [...new Set([...parameters.map(({ name }) => name), ...scopes])].join(' ');
}

async function renderers(): Promise<Renderers> {
  const { blockMarkdown, codeHtml, inlineMarkdown } = await import('../markdown.js');
  return { inline: inlineMarkdown, block: blockMarkdown, code: codeHtml };
}

function overview(groups: readonly Group[], { info }: ReferenceDocument, parts: Renderers): ShellContent {
  const lists = groups.map(({ path, label, description, operations }) => {
    const items = operations.map((placed) => {
      const isEvent = !placed.path.startsWith('/');
      const address = isEvent
        ? `<code>${escapeHtml(placed.path)}</code>`
        : `<span class="method ${placed.method.toLowerCase()}">${placed.method}</span> <code>${escapeHtml(placed.path)}</code>`;
      const summary = isEvent ? '' : ` <span>${escapeHtml(placed.operation.summary)}</span>`;
      return `<li><a href="../docs/${path}#${escapeHtml(anchorOf(placed))}">${address}</a>${summary}</li>`;
    });
    return `<h2 id="${label.toLowerCase()}"><a href="../docs/${path}">${label}</a></h2>
<p>${escapeHtml(description)}${description === '' ? '' : '.'}</p>
<ul class="operations">${items.join('')}</ul>`;
  });
  const html = `<h1>API reference</h1>
${parts.block(info.description)}
<p>Also available as an <a href="../openapi.json">OpenAPI document</a> and a <a href="../docs/postman.json">Postman collection</a>. To try requests in the browser, use <a href="../docs/explorer">the explorer</a>.</p>
${lists.join('\n')}`;
  const headings = groups.map(({ label }) => ({ id: label.toLowerCase(), level: 2, text: label }));
  return {
    path: 'reference',
    title: 'API reference',
    summary: 'Every operation of the API.',
    html,
    headings,
    hasMarkdown: false,
  };
}

function groupPage(group: Group, document: ReferenceDocument, parts: Renderers): ShellContent {
  const { path, label, description, operations } = group;
  const sections = operations.map((placed) => operationHtml(placed, document.components.schemas, parts));
  const html = `<h1>${label}</h1>\n<p class="lead">${escapeHtml(description)}${description === '' ? '' : '.'}</p>\n${sections.join('\n')}`;
  const headings = operations.map((placed) => ({
    id: anchorOf(placed),
    level: 2,
    text: placed.path.startsWith('/') ? placed.operation.summary : placed.path,
  }));
  return { path, title: `${label} API`, summary: description, html, headings, hasMarkdown: false };
}
