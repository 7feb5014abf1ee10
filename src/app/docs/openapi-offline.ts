import { NestFactory } from '@nestjs/core';
import type { OpenAPIObject } from '@nestjs/swagger';
import { readConfig } from '../../config/env.js';
import { ApiModule } from '../api/api.module.js';
import { apiAdapter, apiOptions } from '../api/create-api.js';
import { openApiDocument } from '../api/openapi.js';

/**
 * The OpenAPI document without a running service: Nest's preview mode reads the decorators and builds no
 * provider, so that no database is asked and no folder is made. The same document as `GET /openapi.json`.
 */
export async function offlineOpenApiDocument(): Promise<OpenAPIObject> {
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
  const app = await NestFactory.create(ApiModule.for(settings), apiAdapter(config), {
    ...apiOptions({ log: () => undefined, error: () => undefined, warn: () => undefined }),
    preview: true,
  });
  return openApiDocument(app);
}
