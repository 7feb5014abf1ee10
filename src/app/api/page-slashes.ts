import type { FastifyInstance } from 'fastify';
import { wantsPage } from './wants-page.js';

/** Paths that programs call. There, browsers also get a problem document, and a slash is part of the address. */
export const PROGRAM_PATH =
  /^\/(api|assets|dashboard|docs|files|health|metrics|operator\/(?:api|openapi\.json))(\/|$)/;

/** Allows only one leading slash, because `//host/` would redirect to another site. */
const PAGE_WITH_SLASH = /^\/\w[\w/-]*\/$/;

const DOCS_PAGE = /^\/docs\/(?!explorer\/.)/;
/** People open these links, and so do programs that show a preview of the page and accept anything. */
const SHARE_LINK = /^\/share\/[\w-]+\/$/;

/**
 * Redirects pages with a slash at the end to their address without it. Before routing, because the router would take
 * `/jobs/` for a job without an id.
 */
export function redirectPageSlashes(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    const [path] = request.url.split('?', 1) as [string];
    if (!path.endsWith('/') || !PAGE_WITH_SLASH.test(path)) return done();
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const isShared = isRead && SHARE_LINK.test(path);
    const isPage = wantsPage(request) && (!PROGRAM_PATH.test(path) || DOCS_PAGE.test(path));
    if (!isShared && !isPage) return done();
    // Relative: a proxy may serve the service below a path of its own.
    const name = path.split('/').at(-2)!;
    void reply.redirect(`../${name}${request.url.slice(path.length)}`, 308);
  });
}
