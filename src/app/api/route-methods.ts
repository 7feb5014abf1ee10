import { METHODS } from 'node:http';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    readonly routeMethods: RouteMethods;
  }
  interface FastifyContextConfig {
    /** False for a GET route that answers HEAD, which Fastify adds to it, with 405. */
    readonly hasHead?: boolean;
  }
}

interface Pattern {
  readonly regexp: RegExp;
  readonly methods: Set<string>;
}

/** The methods of each route pattern, for `405` responses. Fastify can only look up a path with its method. */
export class RouteMethods {
  private readonly patterns = new Map<string, Pattern>();

  /** @param pattern such as `/api/ai/enhance/:id`; wildcards are ignored, because they match everything */
  add(pattern: string, methods: readonly string[]): void {
    if (pattern.includes('*')) return;
    const known = this.patterns.get(pattern) ?? { regexp: regexpOf(pattern), methods: new Set<string>() };
    for (const method of methods) known.methods.add(method);
    this.patterns.set(pattern, known);
  }

  /** The methods of the routes that match a path, sorted; empty when there is no such route. */
  of(path: string): readonly string[] {
    const found = new Set<string>();
    for (const { regexp, methods } of this.patterns.values()) {
      if (regexp.test(path)) for (const method of methods) found.add(method);
    }
    return [...found].toSorted();
  }
}

/**
 * Methods of no route that clients may send: `unknown-route.controller` refuses them with 405. Fastify would answer 404
 * to those that it does not know, and treats QUERY as a method with a body and rejects it without a content type. The
 * router refuses to register others, which a new Node.js might know.
 */
const UNUSED_METHODS = [
  'ACL',
  'BIND',
  'CHECKOUT',
  'LINK',
  'M-SEARCH',
  'MERGE',
  'MKACTIVITY',
  'MKCALENDAR',
  'NOTIFY',
  'PURGE',
  'QUERY',
  'REBIND',
  'REPORT',
  'SOURCE',
  'SUBSCRIBE',
  'UNBIND',
  'UNLINK',
  'UNSUBSCRIBE',
];

/** Collects the methods of all routes that are registered from now on. */
export function collectRouteMethods(fastify: FastifyInstance): void {
  const routeMethods = new RouteMethods();
  fastify.decorate('routeMethods', routeMethods);
  for (const method of UNUSED_METHODS)
    if (METHODS.includes(method)) fastify.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  fastify.addHook('onRoute', ({ url, method, config }) => {
    if (method !== 'HEAD' || config?.hasHead !== false) routeMethods.add(url, [method].flat());
  });
}

/** A parameter is a segment or the rest of one, as in `/files/src_:name`. */
function regexpOf(pattern: string): RegExp {
  const escaped = pattern.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${escaped.replaceAll(/:\w+/g, '[^/]+')}$`);
}
