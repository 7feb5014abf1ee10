import { posix } from 'node:path';
import { SITE_FILES, type SitePage, sitePageOf } from './site-catalog.js';

/**
 * The relative URL of the service's root from a page. Links are relative, because a proxy may serve the site below
 * another path.
 * @param path of the page below `/docs`: empty for the start page, `jobs`, `reference/jobs`
 */
export function rootOf(path: string): string {
  return path === '' ? '' : '../'.repeat(path.split('/').length);
}

/** Where a document is shown: on its page, or as Markdown at `/docs/<name>.md`. */
export type SiteFormat = 'html' | 'markdown';

/** Code, which may look like a link, or a parenthesis of links only, or a link. */
const FENCE = '^ *```[^]*?^ *```';
const CODE = '`[^`\\n]*`';
const LINK = '!?\\[[^\\]]*\\]\\([^)\\s]+\\)';
const PARTS = new RegExp(`${FENCE}|${CODE}|\\s*\\(${LINK}(?:,\\s+${LINK})*\\)|${LINK}`, 'gm');
const LINK_PARTS = /(!?\[)([^\]]*)\]\(([^)\s]+)\)/g;

/**
 * Rewrites the links of a document to URLs of the site. Of a link to a file that the site does not have, the text
 * remains. A parenthesis of such links only, for example `(why)`, is removed.
 */
export function withSiteLinks(text: string, page: SitePage, format: SiteFormat): string {
  return text.replaceAll(PARTS, (part) => {
    if (part.startsWith('`') || part.trimStart().startsWith('```')) return part;
    const hrefs = [...part.matchAll(LINK_PARTS)].map(([, , , target]) => siteHref(target!, page, format));
    const isAside = /^\s*\(/.test(part);
    if (isAside && hrefs.every((href) => href === undefined)) return '';
    return part.replaceAll(LINK_PARTS, (_link, start: string, label: string) => {
      const href = hrefs.shift();
      return href === undefined ? label : `${start}${label}](${href})`;
    });
  });
}

/** The URL of a document's link on the site. @returns undefined for files that the site does not have */
function siteHref(target: string, { name: path, file }: SitePage, format: SiteFormat): string | undefined {
  if (/^(?:[a-z][a-z0-9+.-]*:|#|\/)/i.test(target)) return target;
  const [name, anchor] = target.split('#', 2) as [string, string?];
  const found = addressOf(posix.normalize(posix.join(posix.dirname(file!), name)), format);
  return found === undefined
    ? undefined
    : `${rootOf(path)}${found}${anchor === undefined ? '' : `#${anchor}`}`;
}

function addressOf(file: string, format: SiteFormat): string | undefined {
  if (file === 'docs/openapi.json') return 'openapi.json';
  const page = sitePageOf(file);
  if (page !== undefined) return `docs/${page.name}${format === 'markdown' ? '.md' : ''}`;
  const asset = Object.entries(SITE_FILES).find(([, each]) => each.file === file);
  return asset === undefined ? undefined : `docs/${asset[0]}`;
}
