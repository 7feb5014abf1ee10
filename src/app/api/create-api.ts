import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { SwaggerModule } from '@nestjs/swagger';
import { registerBodyParsers } from '../../common/request-body.js';
import type { RoleSettings } from '../role/role-settings.js';
import { ApiModule } from './api.module.js';
import { openApiDocument } from './openapi.js';

/** A request id of the client's is taken if it can harm neither a log line nor a header. */
const SANE_REQUEST_ID = /^[\w.:-]{1,128}$/;

/** Builds the HTTP application: everything but listening. Tests use it as it is. */
export async function createApi(
  settings: RoleSettings,
  logger: LoggerService,
): Promise<NestFastifyApplication> {
  const adapter = new FastifyAdapter({
    trustProxy: settings.config.trustProxy,
    genReqId: requestId,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 256 },
  });
  const app = await NestFactory.create<NestFastifyApplication>(ApiModule.for(settings), adapter, {
    logger,
    bodyParser: false,
    bufferLogs: false,
    abortOnError: false,
  });
  const fastify = adapter.getInstance();
  registerBodyParsers(fastify);
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Request-Id', request.id);
    done();
  });
  SwaggerModule.setup('docs', app, () => openApiDocument(app), {
    jsonDocumentUrl: 'openapi.json',
    customSiteTitle: 'Image Enhancement Service · API',
    swaggerOptions: { defaultModelsExpandDepth: 0, docExpansion: 'list' },
  });
  await app.init();
  await fastify.ready();
  return app;
}

function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && SANE_REQUEST_ID.test(given) ? given : `req_${randomUUID()}`;
}
