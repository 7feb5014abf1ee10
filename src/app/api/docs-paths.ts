import type { FastifyInstance } from 'fastify';

const PREFIX = '/docs/';

/** Our own pages and the files of Swagger UI. None of them is in a subfolder. */
const KNOWN_NAME = /^(?:errors|plans|[\w-]{1,64}(?:\.[\w-]{1,16}){0,2}\.(?:css|js|png|html))?$/;

/**
 * Answers 404 for paths below `/docs/` that cannot name a page or file, before Swagger UI's file server sees them. That
 * server throws on paths such as `/docs/%00`, which would become a 500.
 */
export function refuseUnknownDocsPaths(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    const path = request.url.split('?', 1)[0]!;
    const isKnown = !path.startsWith(PREFIX) || KNOWN_NAME.test(path.slice(PREFIX.length));
    if (isKnown) done();
    else reply.callNotFound();
  });
}
