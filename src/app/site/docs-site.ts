import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { errorsHtml, plansHtml } from '../docs/html-page.js';
import { escapeHtml } from './html-text.js';
import { type ApiReference, readApiReference } from './reference/api-reference.js';
import type { ModelHealthDto } from '../../models/serving/model-health.dto.js';
import { modelStatusHtml } from './model-status.js';
import {
  isForOperators,
  MODEL_STATUS,
  SITE_FILES,
  SITE_PAGES,
  type SitePage,
  sitePage,
} from './site-catalog.js';
import { type SearchEntry, type SearchHit, SiteSearch } from './site-search.js';
import { withSiteLinks } from './site-links.js';
import { pageHtml, type ShellContent } from './site-shell.js';
import { startPage } from './start-page.js';

/** The root of the repository or container image, relative to the compiled file. */
const ROOT = new URL('../../../', import.meta.url);

/** Pages generated from tables in the code. The anchors of both are part of the API. */
const MADE: Readonly<Record<string, () => string>> = { errors: errorsHtml, plans: plansHtml };
/** The text of pages without Markdown, for the search. */
const SEARCHED: Readonly<Record<string, () => string>> = {
  plans: () => plansHtml().replaceAll(/<[^>]*>/g, ' '),
};

/** The documentation site. A page is rendered on first request and cached: the documents are part of the release. */
export class DocsSite {
  private readonly pages = new Map<string, Promise<string | undefined>>();
  private reference: Promise<ApiReference> | undefined;
  private readonly search = new SiteSearch(() => this.searchEntries());

  /** The HTML of a page, or undefined. @param path below `/docs`: empty for the start page */
  page(path: string): Promise<string | undefined> {
    const known = this.pages.get(path);
    if (known !== undefined) return known;
    const made = this.render(path);
    this.pages.set(path, made);
    const forget = (): boolean => this.pages.delete(path);
    // Unknown paths are not kept, because anyone could fill the memory with them.
    made.then((html) => html === undefined && forget(), forget);
    return made;
  }

  /** The Markdown of a page, or undefined. */
  async markdown(name: string): Promise<string | undefined> {
    const page = sitePage(name);
    if (page?.file === undefined) return undefined;
    return withSiteLinks(await readText(page.file), page, 'markdown');
  }

  /** A file of the site, or undefined. */
  async file(name: string): Promise<{ readonly bytes: Buffer; readonly type: string } | undefined> {
    if (!Object.hasOwn(SITE_FILES, name)) return undefined;
    const { file, type } = SITE_FILES[name]!;
    return { bytes: await readFile(pathOf(file)), type };
  }

  find(query: string): Promise<SearchHit[]> {
    return this.search.find(query);
  }

  /** The results of a search as a page, for browsers without scripts. */
  async searchPage(query: string): Promise<string> {
    const hits = await this.find(query);
    const items = hits.map(
      ({ href, page, title, excerpt }) =>
        `<li><a href="${escapeHtml(href)}">${escapeHtml(title)}</a> <span>${escapeHtml(page)}</span><p>${escapeHtml(excerpt)}</p></li>`,
    );
    const found =
      items.length > 0
        ? `<ul class="results">${items.join('')}</ul>`
        : '<p>Nothing was found. Try fewer words.</p>';
    const html = `<h1>Search</h1>\n${query.trim() === '' ? '<p>Enter a word in the search field.</p>' : found}`;
    const shown = { path: 'search', title: 'Search', summary: 'Search the documentation.', headings: [] };
    return this.shell({ ...shown, html, hasMarkdown: false, query });
  }

  /** For browsers that follow a dead link. @param path of the link below `/docs`, as it was requested */
  notFoundPage(path: string): Promise<string> {
    const title = 'Page not found';
    // Only the depth matters.
    const shown = `${'-/'.repeat(path.split('/').length - 1)}not-found`;
    const html = `<h1>${title}</h1>\n<p>The documentation has no such page. Use the search, or choose a page from the list.</p>`;
    return this.shell({ path: shown, title, summary: title, html, headings: [], hasMarkdown: false });
  }

  /** The models in service now. */
  modelStatusPage(health: ModelHealthDto): Promise<string> {
    const { label: title, summary } = sitePage(MODEL_STATUS)!;
    const headings = [
      { id: 'operations', text: 'Operations', level: 2 },
      { id: 'workers', text: 'Workers', level: 2 },
      { id: 'refused', text: 'Versions not in service', level: 2 },
    ];
    const html = modelStatusHtml(health);
    return this.shell({ path: MODEL_STATUS, title, summary, html, headings, hasMarkdown: false });
  }

  private async render(path: string): Promise<string | undefined> {
    const content = path === '' ? startPage() : await this.content(path);
    return content === undefined ? undefined : this.shell(content);
  }

  private async content(path: string): Promise<ShellContent | undefined> {
    if (path === 'reference' || path.startsWith('reference/')) return (await this.apiReference()).page(path);
    const page = sitePage(path);
    if (page === undefined || path === MODEL_STATUS) return undefined;
    const made = MADE[path];
    const hasMarkdown = page.file !== undefined;
    const shown = { path, summary: page.summary, hasMarkdown };
    if (made !== undefined) return { ...shown, title: page.label, html: made(), headings: [] };
    const { html, title, headings } = await rendered(page);
    return { ...shown, html: withNote(page, html), title, headings };
  }

  private async shell(content: ShellContent): Promise<string> {
    return pageHtml(content, (await this.apiReference()).links);
  }

  private apiReference(): Promise<ApiReference> {
    this.reference ??= readText('docs/openapi.json').then(readApiReference);
    this.reference.catch(() => (this.reference = undefined));
    return this.reference;
  }

  private async searchEntries(): Promise<SearchEntry[]> {
    const entries: SearchEntry[] = [...(await this.apiReference()).searchEntries];
    for (const page of SITE_PAGES) {
      const { name, label, summary, file } = page;
      const about = [summary, file === undefined ? (SEARCHED[name]?.() ?? '') : ''].join(' ');
      entries.push({ id: name, page: label, title: label, body: about, weight: weightOf(page, 1) });
      if (file === undefined) continue;
      const { sections } = await rendered(page);
      for (const { id: slug, level, text, body } of sections) {
        const anchor = name === 'errors' ? text : slug;
        const id = `${name}${level === 1 ? '' : `#${anchor}`}`;
        const whole = level === 1 ? `${summary} ${body}` : body;
        entries.push({ id, page: label, title: text, body: whole, weight: weightOf(page, level) });
      }
    }
    return [...new Map(entries.map((entry) => [entry.id, entry])).values()];
  }
}

async function rendered(page: SitePage) {
  // Loaded on demand, because other requests do not need the renderer.
  const { renderMarkdown } = await import('./markdown.js');
  return renderMarkdown(withSiteLinks(await readText(page.file!), page, 'html'));
}

/**
 * Ranks guides above pages for operators, those above complete lists and the changelog, and the start of a page above
 * its sections.
 */
function weightOf(page: SitePage, level: number): number {
  if (level === 1) return isForOperators(page) ? 3 : 6;
  // Its headings are the words that readers search for, such as "Webhooks".
  if (page.name === 'changelog') return 0.02;
  const isList = ['docs/configuration.md', 'docs/errors.md'].includes(page.file ?? '');
  if (isList) return 0.5;
  return isForOperators(page) ? 1 : 2;
}

/** Adds a link from the page about models to the models that this installation serves. */
function withNote({ name }: SitePage, html: string): string {
  if (name !== 'models') return html;
  return `${html}<p class="note">For the models of this installation and their state, see <a href="${MODEL_STATUS}">model status</a>.</p>`;
}

function readText(file: string): Promise<string> {
  return readFile(pathOf(file), 'utf8');
}

function pathOf(file: string): string {
  return fileURLToPath(new URL(file, ROOT));
}
