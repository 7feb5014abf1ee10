import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { LoggerService, NestApplicationOptions } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { SwaggerModule } from '@nestjs/swagger';
import { registerBodyParsers } from '../../common/request-body.js';
import type { Config } from '../../config/env.js';
import type { RoleSettings } from '../role/role-settings.js';
import { ApiModule } from './api.module.js';
import { openApiDocument } from './openapi.js';

/** A request id of the client's is taken if it can harm neither a log line nor a header. */
const SANE_REQUEST_ID = /^[\w.:-]{1,128}$/;

/** Builds the HTTP application: everything but listening. */
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

/** The HTTP server under the application. */
export function apiAdapter(config: Config): FastifyAdapter {
  return new FastifyAdapter({
    trustProxy: config.trustProxy,
    genReqId: requestId,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 256 },
  });
}

/** How Nest builds the application on that server. */
export function apiOptions(logger: LoggerService): NestApplicationOptions {
  return { logger, bodyParser: false, bufferLogs: false, abortOnError: false };
}

/** Makes a built application ready to listen. Tests, which build theirs from a testing module, share it. */
export async function setUpApi(app: NestFastifyApplication): Promise<void> {
  const fastify = app.getHttpAdapter().getInstance();
  registerBodyParsers(fastify);
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Request-Id', request.id);
    done();
  });
  SwaggerModule.setup('docs', app, () => openApiDocument(app), {
    jsonDocumentUrl: 'openapi.json',
    customSiteTitle: 'Image Enhancement Service · API',
    customCss: '.swagger-ui .topbar { display: none }',
    swaggerOptions: { defaultModelsExpandDepth: 0, docExpansion: 'list' },
  });
  await app.init();
  await fastify.ready();
}

function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && SANE_REQUEST_ID.test(given) ? given : `req_${randomUUID()}`;
}
