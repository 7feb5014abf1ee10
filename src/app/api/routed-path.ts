import type { FastifyRequest } from '../../common/requests/request-context.js';

/** The route for paths without one. */
const ANY_PATH = /^\/?\*$/;

/**
 * Where the router sends a request: the pattern of its route, or the path if it has none. The same route can be
 * addressed by several paths, because the router decodes them: `/%64ocs` is `/docs`.
 */
export function routedPath({ url, routeOptions }: Pick<FastifyRequest, 'url' | 'routeOptions'>): string {
  const { url: pattern } = routeOptions;
  return pattern === undefined || ANY_PATH.test(pattern) ? url : pattern;
}
