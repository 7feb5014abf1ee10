import type { INestApplication } from '@nestjs/common';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';

/** Serves Swagger UI, which loads the OpenAPI document instead of a second, larger copy in a script. */
export function setUpExplorer(app: INestApplication): void {
  SwaggerModule.setup('docs/explorer', app, {} as OpenAPIObject, {
    raw: false,
    swaggerUrl: '../openapi.json',
    customSiteTitle: 'Image Enhancement Service · API',
    customCss: '.swagger-ui .topbar { display: none }',
    swaggerOptions: {
      defaultModelsExpandDepth: 0,
      docExpansion: 'list',
      // Otherwise, it would request a badge from validator.swagger.io.
      validatorUrl: null,
    },
    // A document in the script would take precedence over the URL.
    patchDocumentOnRequest: withoutDocument,
  });
}

const withoutDocument = (): OpenAPIObject => undefined as unknown as OpenAPIObject;
