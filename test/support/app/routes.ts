import type { Scope } from '../../../src/kernel/scopes.js';
import type { Harness, TestAccount } from './harness.js';

/** One operation of the API as the contract (design/api.md) states it, not as the code does. */
export interface ContractRoute {
  readonly operationId: string;
  /** Its folder under test/http. */
  readonly folder: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path as in the OpenAPI document. */
  readonly path: string;
  /** A key needs any one of these scopes; empty means that every valid key may call the route. */
  readonly anyOf: readonly Scope[];
  /** A valid body, where one is required before anything is looked up. */
  readonly json?: object;
  /** The maximum size of its JSON body in bytes, where it reads one. */
  readonly bodyBytes?: number;
}

const KIB = 1_024;

const WRITE = ['image:write', 'ai:enhance'] as const;
const READ = ['image:read', 'ai:enhance'] as const;
const MANAGE = ['webhook:manage'] as const;
const WEBHOOKS = '/api/webhooks';

/** Every route that requires a key. */
export const KEY_ROUTES: readonly ContractRoute[] = [
  route('uploadImage', 'post-upload', 'POST', '/api/ai/upload', WRITE),
  { ...route('createJob', 'post-enhance', 'POST', '/api/ai/enhance', WRITE), bodyBytes: 128 * KIB },
  {
    ...route('createDirectUpload', 'create-direct-upload', 'POST', '/api/ai/uploads', WRITE),
    bodyBytes: 128 * KIB,
  },
  route('completeDirectUpload', 'complete-direct-upload', 'POST', '/api/ai/uploads/{id}/complete', WRITE),
  route('getJob', 'get-job', 'GET', '/api/ai/enhance/{id}', READ),
  route('followJob', 'follow-job', 'GET', '/api/ai/enhance/{id}/events', READ),
  route('listJobs', 'list-jobs', 'GET', '/api/ai/enhance', READ),
  route('cancelJob', 'cancel-job', 'POST', '/api/ai/enhance/{id}/cancel', WRITE),
  route('deleteJob', 'delete-job', 'DELETE', '/api/ai/enhance/{id}', WRITE),
  {
    ...route('createBatch', 'create-batch', 'POST', '/api/ai/batches', WRITE),
    bodyBytes: 512 * KIB,
  },
  route('listBatches', 'list-batches', 'GET', '/api/ai/batches', READ),
  route('getBatch', 'get-batch', 'GET', '/api/ai/batches/{id}', READ),
  route('listBatchJobs', 'list-batch-jobs', 'GET', '/api/ai/batches/{id}/jobs', READ),
  route('downloadBatchResults', 'get-batch-results', 'GET', '/api/ai/batches/{id}/results.zip', READ),
  route('cancelBatch', 'cancel-batch', 'POST', '/api/ai/batches/{id}/cancel', WRITE),
  {
    ...route('retryBatch', 'retry-batch', 'POST', '/api/ai/batches/{id}/retry', WRITE),
    bodyBytes: 128 * KIB,
  },
  route('listPresets', 'list-presets', 'GET', '/api/ai/presets', READ),
  route('getPreset', 'get-preset', 'GET', '/api/ai/presets/{name}', READ),
  { ...route('savePreset', 'save-preset', 'PUT', '/api/ai/presets/{name}', WRITE), bodyBytes: 128 * KIB },
  route('deletePreset', 'delete-preset', 'DELETE', '/api/ai/presets/{name}', WRITE),
  route('listSources', 'list-sources', 'GET', '/api/ai/sources', READ),
  route('getSource', 'get-source', 'GET', '/api/ai/sources/{id}', READ),
  route('deleteSource', 'delete-source', 'DELETE', '/api/ai/sources/{id}', WRITE),
  route('listOperations', 'list-operations', 'GET', '/api/ai/operations', READ),
  route('getUsage', 'get-usage', 'GET', '/api/usage', []),
  route('exportUsage', 'export-usage', 'GET', '/api/usage/export', []),
  route('listEventTypes', 'list-event-types', 'GET', `${WEBHOOKS}/events`, MANAGE),
  {
    ...route('createWebhookEndpoint', 'create-endpoint', 'POST', `${WEBHOOKS}/endpoints`, MANAGE),
    bodyBytes: 128 * KIB,
  },
  route('listWebhookEndpoints', 'list-endpoints', 'GET', `${WEBHOOKS}/endpoints`, MANAGE),
  route('getWebhookEndpoint', 'get-endpoint', 'GET', `${WEBHOOKS}/endpoints/{id}`, MANAGE),
  {
    ...route('updateWebhookEndpoint', 'update-endpoint', 'PATCH', `${WEBHOOKS}/endpoints/{id}`, MANAGE),
    bodyBytes: 128 * KIB,
  },
  route('deleteWebhookEndpoint', 'delete-endpoint', 'DELETE', `${WEBHOOKS}/endpoints/{id}`, MANAGE),
  route('pingWebhookEndpoint', 'ping-endpoint', 'POST', `${WEBHOOKS}/endpoints/{id}/ping`, MANAGE),
  {
    ...route(
      'rotateWebhookSecret',
      'rotate-secret',
      'POST',
      `${WEBHOOKS}/endpoints/{id}/rotate-secret`,
      MANAGE,
    ),
    bodyBytes: 128 * KIB,
  },
  {
    ...route(
      'recoverWebhookEndpoint',
      'recover-endpoint',
      'POST',
      `${WEBHOOKS}/endpoints/{id}/recover`,
      MANAGE,
    ),
    json: { since: '2026-01-01T00:00:00Z' },
    bodyBytes: KIB * KIB,
  },
  route('getCallbackSecret', 'get-callback-secret', 'GET', `${WEBHOOKS}/callback-secret`, MANAGE),
  {
    ...route('rotateCallbackSecret', 'rotate-callback-secret', 'POST', `${WEBHOOKS}/callback-secret`, MANAGE),
    bodyBytes: 128 * KIB,
  },
  route('listWebhookDeliveries', 'list-deliveries', 'GET', `${WEBHOOKS}/deliveries`, MANAGE),
  route('getWebhookDelivery', 'get-delivery', 'GET', `${WEBHOOKS}/deliveries/{id}`, MANAGE),
  route(
    'redeliverWebhookDelivery',
    'redeliver-delivery',
    'POST',
    `${WEBHOOKS}/deliveries/{id}/redeliver`,
    MANAGE,
  ),
];

/** The routes that read JSON. */
export const JSON_ROUTES = KEY_ROUTES.filter(({ bodyBytes }) => bodyBytes !== undefined);

/** Routes that work without a key. */
export const OPEN_ROUTES: readonly ContractRoute[] = [
  route('readSourceFile', 'get-source-file', 'GET', '/files/src_{name}', []),
  route('readResultFile', 'get-result-file', 'GET', '/files/job_{name}', []),
  route('healthLive', 'get-health-live', 'GET', '/health/live', []),
  route('healthReady', 'get-health-ready', 'GET', '/health/ready', []),
  route('healthModels', 'get-health-models', 'GET', '/health/models', []),
];

function route(
  operationId: string,
  folder: string,
  method: ContractRoute['method'],
  path: string,
  anyOf: readonly Scope[],
): ContractRoute {
  return { operationId, folder, method, path, anyOf };
}

/** A path of this route for new resources of this account. */
export async function pathFor(given: ContractRoute, harness: Harness, account: TestAccount): Promise<string> {
  if (given.path.includes('{name}')) {
    const { name } = await harness.newPreset(account);
    return given.path.replace('{name}', name);
  }
  if (!given.path.includes('{id}')) return given.path;
  const { id } = await newThing(given.path, harness, account);
  return given.path.replace('{id}', id);
}

async function newThing(path: string, harness: Harness, account: TestAccount): Promise<{ id: string }> {
  if (path.includes('/uploads/')) return harness.newDirectUpload(account);
  if (path.includes('/sources/')) return harness.newSource(account);
  if (path.includes('/enhance/')) {
    const job = await harness.newJob(account);
    // The events of an unfinished job would continue forever.
    if (path.endsWith('/events')) await harness.jobs.complete(job.id);
    return job;
  }
  if (path.includes('/batches/')) return harness.newBatch(account);
  // An account may have 20 endpoints, and some tests call this more often.
  await harness.rows('DELETE FROM webhook_endpoints WHERE account_id = $1', [account.id]);
  const endpoint = await harness.newEndpoint(account);
  return path.includes('/deliveries/') ? harness.newDelivery(account, endpoint.id) : endpoint;
}

/** A GET of the resource of such a path; undefined where there is none. */
export function readingPath(path: string): string | undefined {
  if (path.includes('/uploads/')) return undefined;
  return path.replace(/\/(cancel|retry|jobs|results\.zip|events|ping|rotate-secret|recover|redeliver)$/, '');
}
