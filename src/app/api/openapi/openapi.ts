import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { DASHBOARD_CODES, ERROR_CODES } from '../../../kernel/errors/error-codes.js';
import { VERSION } from '../../../kernel/version.js';
import { SCOPE_TEXTS, SCOPES } from '../../../kernel/scopes.js';
import { withForms, withPathParameters, withPublicSecurity } from './openapi-operations.js';
import { withRequestExamples } from './openapi-request-examples.js';
import { onlyPaths, withClosedRequests, withPublicNames } from './openapi-schemas.js';
import { webhooks } from './openapi-webhooks.js';
import { withCodeSamples } from './samples/openapi-samples.js';

const DESCRIPTION = `
Upload an image, create an enhancement job for it, poll the job until it is \`completed\` or \`failed\`.

Send an API key in the \`x-api-key\` header. File URLs with a signature and \`/health/*\` need none. Every response has
\`X-Request-Id\`; with a valid key, it also has \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and
\`X-RateLimit-Reset\`. Errors are problem documents (RFC 9457); see [all error codes](../docs/errors).
[API basics](../docs/api) describes keys, limits, lists and file URLs.

Each operation lists its scopes as alternatives: a key needs any one of them.

${SCOPES.map((scope) => `- \`${scope}\`: ${SCOPE_TEXTS[scope]}`).join('\n')}
`.trim();

/** The prefixes of the routes that require a session. */
const SESSION_PATHS = '/dashboard/api/';
const OPERATOR_PATHS = '/operator/api/';

/**
 * The OpenAPI document of the running code, shown at /docs and committed as docs/openapi.json.
 * @param basePath the path of the public URL, below which a proxy may serve the service
 */
export function openApiDocument(app: INestApplication, basePath = '/'): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Image Enhancement Service')
    .setDescription(DESCRIPTION)
    .setVersion(VERSION)
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addTag('Uploads', 'Source images')
    .addTag('Jobs', 'Enhancement jobs, from creation to result')
    .addTag('Presets', 'Chains under a name')
    .addTag('Batches', 'The same operations for many sources')
    .addTag('Webhooks', 'Signed events to endpoints of yours')
    .addTag('Usage', 'What the plan allows and what is used of it')
    .addTag('Files', 'The bytes of sources and results')
    .addTag('Health', 'For load balancers and operators')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'x-api-key' }, 'apiKey')
    .addServer(basePath, 'This installation.');
  const document = SwaggerModule.createDocument(app, builder.build());
  const schemas = { ...document.components?.schemas, Problem: PROBLEM };
  const whole = { ...document, webhooks: webhooks(), components: { ...document.components, schemas } };
  const part = onlyPaths(withForms(whole), isPublic);
  return withCodeSamples(withPublicSecurity(withRequestExamples(withPathParameters(published(part)))));
}

/**
 * The OpenAPI document of the dashboard's routes, the source of its types. Committed as web/openapi.json and not
 * served. Describes successful responses only.
 */
export function sessionApiDocument(app: INestApplication): OpenAPIObject {
  const builder = new DocumentBuilder().setOpenAPIVersion('3.1.0').setTitle('Dashboard').setVersion(VERSION);
  const document = SwaggerModule.createDocument(app, builder.build());
  return published(onlyPaths(document, (path) => path.startsWith(SESSION_PATHS)));
}

/** The OpenAPI document of the operator console, served at /operator/openapi.json. Committed as web/operator-openapi.json. */
export function operatorApiDocument(app: INestApplication): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Operator console')
    .setDescription(OPERATOR_DESCRIPTION)
    .setVersion(VERSION);
  const document = SwaggerModule.createDocument(app, builder.build());
  return published(onlyPaths(document, (path) => path.startsWith(OPERATOR_PATHS)));
}

const OPERATOR_DESCRIPTION =
  'Routes for the operators of the service. They require the dashboard session of an account with the operator role, which `npm run admin -- operator grant` grants. Other accounts get the same 404 as for an unknown route.';

const isPublic = (path: string): boolean =>
  !path.startsWith(SESSION_PATHS) && !path.startsWith(OPERATOR_PATHS);

const published = (document: OpenAPIObject): OpenAPIObject => withPublicNames(withClosedRequests(document));

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;

const PROBLEM: Schemas[string] = {
  type: 'object',
  description: 'RFC 9457 problem document. Some codes add members of their own.',
  required: ['type', 'title', 'status', 'detail', 'code', 'requestId', 'errors'],
  properties: {
    type: { type: 'string', format: 'uri', description: 'URL of the documentation of this code.' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'What was wrong here, and what to do.' },
    code: {
      type: 'string',
      enum: Object.keys(ERROR_CODES).filter((code) => !DASHBOARD_CODES.has(code)),
    },
    requestId: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['field', 'code', 'message'],
        properties: { field: { type: 'string' }, code: { type: 'string' }, message: { type: 'string' } },
      },
    },
    quota: { type: 'string', enum: ['enhancements', 'storage'], description: 'With `quota_exceeded`.' },
    limit: { type: 'integer', description: 'With `quota_exceeded`.' },
    used: { type: 'integer', description: 'With `quota_exceeded`.' },
    needed: { type: 'integer', description: 'With `quota_exceeded`: enhancements that the request needs.' },
    remaining: { type: 'integer', description: 'With `quota_exceeded`: enhancements that are left.' },
    resetsAt: { type: ['string', 'null'] as unknown as 'string', description: 'With `quota_exceeded`.' },
    upgrade: {
      type: 'object',
      description: 'With `quota_exceeded`: the next plan that has room.',
      properties: { plan: { type: 'string' }, url: { type: 'string' }, note: { type: 'string' } },
    },
    jobId: { type: 'string', description: 'For the error of a failed job: the id of the job.' },
    requiredScopes: {
      type: 'array',
      items: { type: 'string', enum: [...SCOPES] },
      description: 'With `insufficient_scope`: any one of these is needed.',
    },
    keyScopes: {
      type: 'array',
      items: { type: 'string', enum: [...SCOPES] },
      description: 'With `insufficient_scope`: the scopes of the key.',
    },
    checks: {
      type: 'object',
      additionalProperties: { type: 'string', enum: ['ok', 'full', 'unavailable'] },
      description: 'For `/health/ready`: the result of each check.',
    },
    storage: {
      type: 'string',
      enum: ['ok', 'full', 'unavailable'],
      description: 'For `/health/ready`: whether files can be stored.',
    },
    freeBytes: {
      type: 'integer',
      description: 'For `/health/ready`: free space for files. Uploads stop below `DISK_RESERVE_BYTES`.',
    },
  },
};
