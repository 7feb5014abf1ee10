import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import fastifyCookie from '@fastify/cookie';
import fastifyStatic from '@fastify/static';
import type { LoggerService, NestApplicationOptions } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { withRequestActor } from '../../audit/audit-actor.js';
import { clientBucket } from '../../auth/client-address.js';
import { isWellFormedApiKey } from '../../auth/keys/api-key.js';
import type { FastifyRequest } from '../../common/requests/request-context.js';
import {
  API_JSON,
  BATCH_JSON,
  type JsonLimits,
  registerBodyParsers,
  SESSION_JSON,
} from '../../common/validation/request-body.js';
import { connectionDrain } from '../../common/requests/connection-drain.js';
import { paceFiles } from '../../common/requests/paced-files.js';
import { serveInOrder } from '../../common/requests/pipelined-requests.js';
import { closeStalledReaders, STALLED_READER_MS } from '../../common/requests/stalled-readers.js';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { abortWorkAfterMs } from '../../kernel/concurrency/drain.js';
import type { RoleSettings } from '../../roles/role-settings.js';
import { Tracing } from '../../infra/telemetry/tracing/tracing.js';
import { HttpMetrics } from '../../infra/telemetry/http-metrics.js';
import { ApiModule } from './api.module.js';
import { withoutPorts } from './forwarded-for.js';
import { rejectMalformedRequests } from './protocol/malformed-requests.js';
import { registerCors } from './cors.js';
import { refuseUnknownDocsPaths } from './docs-paths.js';
import { requireOneHost } from './protocol/host-header.js';
import { ignoreExpectations } from './protocol/ignore-expectations.js';
import { measureRequests } from './measure-requests.js';
import { setUpExplorer } from './openapi/explorer.js';
import { openApiDocument, operatorApiDocument } from './openapi/openapi.js';
import { serveDocument } from './openapi/serve-document.js';
import { redirectPageSlashes } from './page-slashes.js';
import { collectRouteMethods } from './route-methods.js';
import { routableUrl } from './protocol/routable-url.js';
import { routedPath } from './routed-path.js';
import { setSecurityHeaders } from './security-headers.js';
import { refuseConnect } from './protocol/refuse-connect.js';
import { refuseTinyChunks } from './protocol/tiny-chunks.js';
import { Shutdown } from './shutdown.js';
import { traceRequests } from './trace-requests.js';

/** A client's request id is used only if it is safe in log lines and headers. */
const SANE_REQUEST_ID = /^[\w.:-]{1,128}$/;

/** Time limit for receiving a request, including headers and body: 20 MB at 0.6 Mbit/s. */
const REQUEST_TIMEOUT_MS = 300_000;

/** Builds the HTTP application without listening. */
export async function createApi(
  settings: RoleSettings,
  logger: LoggerService,
): Promise<NestFastifyApplication> {
  const app = await NestFactory.create<NestFastifyApplication>(
    ApiModule.for(settings),
    apiAdapter(settings.config),
    apiOptions(logger),
  );
  await setUpApi(app);
  return app;
}

/** The HTTP server of the application. */
export function apiAdapter(config: Config): FastifyAdapter {
  return new FastifyAdapter({
    // Trusts one hop. With more, a client could forge the address that its rate limit uses.
    trustProxy: config.trustProxy && ((_address: string, hop: number) => hop < 1),
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: STALLED_READER_MS,
    // `requireOneHost` refuses such requests with a problem document.
    http: { requireHostHeader: false },
    rewriteUrl: ({ url = '/' }) => routableUrl(url),
    clientErrorHandler: rejectMalformedRequests(config.publicUrl),
    genReqId: requestId,
    forceCloseConnections: 'idle',
    // Requests on open connections are served during shutdown, and Fastify's own 503 is not a problem document.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 256 },
  });
}

/** Creates the Nest application on that server. */
export function apiOptions(logger: LoggerService): NestApplicationOptions {
  return { logger, bodyParser: false, bufferLogs: false, abortOnError: false };
}

/** Prepares a created application for listening. Shared with tests, which create theirs from a testing module. */
export async function setUpApi(app: NestFastifyApplication): Promise<void> {
  const fastify = app.getHttpAdapter().getInstance();
  collectRouteMethods(fastify);
  registerBodyParsers(fastify, isBodyWorthReading, jsonLimitsOf, ({ ip }) => clientBucket(ip));
  // Only the session guard reads cookies, so other requests do not parse them.
  await fastify.register(fastifyCookie, { hook: false });
  await fastify.register(fastifyStatic, { serve: false, preCompressed: true });
  const { corsOrigins, drainTimeoutMs, publicUrl, trustProxy } = app.get<Config>(CONFIG);
  serveInOrder(fastify.server);
  closeStalledReaders(fastify.server);
  ignoreExpectations(fastify.server);
  refuseConnect(fastify.server, publicUrl);
  refuseTinyChunks(fastify.server);
  const drainConnections = connectionDrain(fastify.server, abortWorkAfterMs(drainTimeoutMs));
  // Runs after the body is read, because reading it may lose the asynchronous context.
  fastify.addHook('preHandler', (request, _reply, done) => withRequestActor(request, done));
  fastify.addHook('preClose', (done) => {
    drainConnections();
    done();
  });
  fastify.addHook('onRequest', (request, reply, done) => {
    const forwardedFor = request.headers['x-forwarded-for'];
    if (trustProxy && typeof forwardedFor === 'string')
      request.raw.headers['x-forwarded-for'] = withoutPorts(forwardedFor);
    reply.header('X-Request-Id', request.id);
    // Personal responses must not be cached for other users.
    if (isDashboardApi(routedPath(request))) reply.header('Cache-Control', 'no-store');
    done();
  });
  const shutdown = app.get(Shutdown);
  fastify.addHook('onSend', (_request, reply, payload, done) => {
    // The next request then reaches another process. On this connection, it might arrive when the server closes it.
    if (shutdown.hasBegun) reply.header('Connection', 'close');
    done(null, payload);
  });
  paceFiles(fastify);
  measureRequests(fastify, app.get(HttpMetrics));
  traceRequests(fastify, app.get(Tracing));
  setSecurityHeaders(fastify, publicUrl);
  refuseUnknownDocsPaths(fastify);
  redirectPageSlashes(fastify);
  await registerCors(fastify, corsOrigins);
  requireOneHost(fastify);
  serveDocument(app, '/openapi.json', () => openApiDocument(app, new URL(publicUrl).pathname));
  serveDocument(app, '/operator/openapi.json', () => operatorApiDocument(app));
  setUpExplorer(app);
  await app.init();
  await fastify.ready();
}

/** Whether the route takes images in JSON, which are larger than any other body. */
const readsItsBody = (url: string): boolean => url.split('?', 1)[0] === '/v1.0/removebg';

/** Routes that require a session: the dashboard and the operator console. */
const isDashboardApi = (url: string): boolean =>
  url.startsWith('/dashboard/api/') || url.startsWith('/operator/api/');

/** Routes that create a batch. */
const BATCHES = /^(\/dashboard)?\/api\/ai\/batches\/?(\?|$)/;

function jsonLimitsOf({ url }: FastifyRequest): JsonLimits | null {
  if (readsItsBody(url)) return null;
  if (BATCHES.test(url)) return BATCH_JSON;
  return isDashboardApi(url) ? SESSION_JSON : API_JSON;
}

/** Whether the guards may accept a request: it contains something that looks like a key, or is for the dashboard. */
function isBodyWorthReading({ headers, url }: FastifyRequest): boolean {
  if (isDashboardApi(url)) return true;
  const key = headers['x-api-key'];
  return typeof key === 'string' && isWellFormedApiKey(key);
}

function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && SANE_REQUEST_ID.test(given) ? given : `req_${randomUUID()}`;
}
