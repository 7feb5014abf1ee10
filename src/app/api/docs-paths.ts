import type { FastifyInstance } from 'fastify';
import { wantsPage } from './wants-page.js';

const PREFIX = '/docs/';

/** Pages and their Markdown, files of the site, the groups of the reference, and the files of Swagger UI. */
const KNOWN_NAME =
  /^(?:[a-z0-9-]{1,64}(?:\.(?:md|css|js|mjs|json|py|svg|webp))?|reference\/[a-z0-9-]{1,64}|explorer\/[\w-]{1,64}(?:\.[\w-]{1,16}){0,2}\.(?:css|js|png|html))$/;

/** Paths for which a browser gets the page of the documentation that says so. */
const DEAD_LINK = /^(?!explorer\/.)[\w/-]{1,200}$/;

/**
 * Responds with 404 to paths below `/docs/` that cannot name a page or file, before Swagger UI's file server sees them.
 * That server throws on paths such as `/docs/explorer/%00`, which would become a 500.
 */
export function refuseUnknownDocsPaths(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    const path = request.url.split('?', 1)[0]!;
    if (!path.startsWith(PREFIX)) done();
    else if (path === PREFIX) void reply.redirect('../docs', 301);
    else if (KNOWN_NAME.test(path.slice(PREFIX.length))) done();
    else if (DEAD_LINK.test(path.slice(PREFIX.length)) && wantsPage(request)) done();
    else reply.callNotFound();
  });
}
