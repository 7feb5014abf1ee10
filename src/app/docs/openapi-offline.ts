import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { OpenAPIObject } from '@nestjs/swagger';
import { readConfig } from '../../config/env.js';
import { ApiModule } from '../api/api.module.js';
import { apiAdapter, apiOptions } from '../api/create-api.js';
import { openApiDocument, operatorApiDocument, sessionApiDocument } from '../api/openapi/openapi.js';

/** The OpenAPI document, built without a running service. Equal to `GET /openapi.json`. */
export async function offlineOpenApiDocument(): Promise<OpenAPIObject> {
  return openApiDocument(await previewedApi());
}

/** The OpenAPI document of the dashboard's routes. */
export async function offlineSessionApiDocument(): Promise<OpenAPIObject> {
  return sessionApiDocument(await previewedApi());
}

/** The OpenAPI document of the operator console. Equal to `GET /operator/openapi.json`. */
export async function offlineOperatorApiDocument(): Promise<OpenAPIObject> {
  return operatorApiDocument(await previewedApi());
}

/** Nest's preview mode reads the decorators and creates no provider, so it needs no database and creates no folder. */
async function previewedApi(): Promise<INestApplication> {
  const config = readConfig({});
  const settings = {
    role: 'api',
    config,
    databaseUrl: 'postgres://preview.invalid/none',
    signingKeys: () => [],
    sealingKeys: () => [],
    objectsDir: '',
    scratchDir: '',
  } as const;
  return NestFactory.create(ApiModule.for(settings), apiAdapter(config), {
    ...apiOptions({ log: () => undefined, error: () => undefined, warn: () => undefined }),
    preview: true,
  });
}
