import type { Scope } from '../../src/kernel/scopes.js';
import type { Harness, TestAccount } from './harness.js';

/** One operation of the API as the contract (design/api.md) states it, not as the code does. */
export interface ContractRoute {
  readonly operationId: string;
  /** Its folder under test/http. */
  readonly folder: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** As in the OpenAPI document. */
  readonly path: string;
  /** Scopes of which a key needs any one; none: every valid key may. */
  readonly anyOf: readonly Scope[];
}

const WRITE = ['image:write', 'ai:enhance'] as const;
const READ = ['image:read', 'ai:enhance'] as const;

/** Every route that demands a key. */
export const KEY_ROUTES: readonly ContractRoute[] = [
  route('uploadImage', 'post-upload', 'POST', '/api/ai/upload', WRITE),
  route('createJob', 'post-enhance', 'POST', '/api/ai/enhance', WRITE),
  route('getJob', 'get-job', 'GET', '/api/ai/enhance/{id}', READ),
  route('listJobs', 'list-jobs', 'GET', '/api/ai/enhance', READ),
  route('cancelJob', 'cancel-job', 'POST', '/api/ai/enhance/{id}/cancel', WRITE),
  route('deleteJob', 'delete-job', 'DELETE', '/api/ai/enhance/{id}', WRITE),
  route('listSources', 'list-sources', 'GET', '/api/ai/sources', READ),
  route('getSource', 'get-source', 'GET', '/api/ai/sources/{id}', READ),
  route('deleteSource', 'delete-source', 'DELETE', '/api/ai/sources/{id}', WRITE),
  route('listOperations', 'list-operations', 'GET', '/api/ai/operations', READ),
  route('getUsage', 'get-usage', 'GET', '/api/usage', []),
];

/** Routes that work without a key. */
export const OPEN_ROUTES: readonly ContractRoute[] = [
  route('readSourceFile', 'get-source-file', 'GET', '/files/src_{name}', []),
  route('readResultFile', 'get-result-file', 'GET', '/files/job_{name}', []),
  route('healthLive', 'get-health-live', 'GET', '/health/live', []),
  route('healthReady', 'get-health-ready', 'GET', '/health/ready', []),
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

/** A path of this route that names things of this account, made anew. */
export async function pathFor(given: ContractRoute, harness: Harness, account: TestAccount): Promise<string> {
  if (!given.path.includes('{id}')) return given.path;
  const { id } = given.path.includes('/sources/')
    ? await harness.newSource(account)
    : await harness.newJob(account);
  return given.path.replace('{id}', id);
}
