import { posix } from 'node:path';
import { SITE_FILES, sitePageOf } from './site-catalog.js';

/**
 * The relative URL of the service's root from a page. Links are relative, because a proxy may serve the site below
 * another path.
 * @param path of the page below `/docs`: empty for the start page, `jobs`, `reference/jobs`
 */
export function rootOf(path: string): string {
  return path === '' ? '' : '../'.repeat(path.split('/').length);
}

/**
 * The URL of a document's link on the site.
 * @param target as written in the document
 * @param file of the document, relative to the root of the repository
 * @param path of the page that shows it
 * @returns undefined for files that the site does not have
 */
export function siteHref(target: string, file: string, path: string): string | undefined {
  if (/^(?:[a-z][a-z0-9+.-]*:|#|\/)/i.test(target)) return target;
  const [name, anchor] = target.split('#', 2) as [string, string?];
  const linked = posix.normalize(posix.join(posix.dirname(file), name));
  const found = addressOf(linked);
  if (found === undefined) return undefined;
  return `${rootOf(path)}${found}${anchor === undefined ? '' : `#${anchor}`}`;
}

function addressOf(file: string): string | undefined {
  if (file === 'docs/openapi.json') return 'openapi.json';
  const page = sitePageOf(file);
  if (page !== undefined) return `docs/${page.name}`;
  const asset = Object.entries(SITE_FILES).find(([, each]) => each.file === file);
  return asset === undefined ? undefined : `docs/${asset[0]}`;
}
