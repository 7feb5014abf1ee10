import { SAMPLE_IDS as ids, SAMPLE_SIGNATURE } from './sample-ids.js';

/** The parts of an operation from which its request is built. */
export interface CurlOperation {
  readonly operationId?: string;
  readonly security?: readonly object[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> };
}

/** The example id in a path, by path prefix. */
const BY_PREFIX: readonly (readonly [string, string])[] = [
  ['/api/ai/sources/', ids.source],
  ['/api/ai/enhance/', ids.job],
  ['/api/ai/batches/', ids.batch],
  ['/api/ai/uploads/', ids.upload],
  ['/api/webhooks/endpoints/', ids.endpoint],
  ['/api/webhooks/deliveries/', ids.delivery],
];

/** File names for saving responses that are not text, by operation. */
const SAVED: Readonly<Record<string, string>> = {
  readSourceFile: 'photo.jpg',
  readResultFile: 'result.jpg',
  downloadBatchResults: 'results.zip',
  exportUsage: 'usage.csv',
};

/** The request of an operation as a shell command. */
export function curlSample(method: string, path: string, operation: CurlOperation): string {
  const { operationId = '', security = [], requestBody } = operation;
  const needsKey = security.length > 0 && security.every((each) => Object.keys(each).length > 0);
  const saved = SAVED[operationId];
  const parts = [
    `curl${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} "$IMAGE_ENHANCEMENT_URL${filled(path)}"`,
    ...(needsKey ? ['-H "x-api-key: $IMAGE_ENHANCEMENT_API_KEY"'] : []),
    ...(saved === undefined ? [] : [`-o ${saved}`]),
    ...(operationId === 'followJob' ? ['-N'] : []),
    ...bodyOf(operationId, requestBody?.content ?? {}),
  ];
  return parts.join(' \\\n  ');
}

function filled(path: string): string {
  const id = BY_PREFIX.find(([prefix]) => path.startsWith(prefix))?.[1] ?? '';
  return path
    .replace('src_{name}', `${ids.source}.jpg?${SAMPLE_SIGNATURE}`)
    .replace('job_{name}', `${ids.job}.jpg?${SAMPLE_SIGNATURE}`)
    .replace('{id}', id)
    .replace('{name}', 'catalog');
}

type Content = NonNullable<CurlOperation['requestBody']>['content'];

function bodyOf(operationId: string, content: Content): string[] {
  if (operationId === 'uploadImage') return ['-F file=@photo.jpg'];
  const example = content['application/json']?.example;
  if (example === undefined) return [];
  return ["-H 'content-type: application/json'", `-d '${JSON.stringify(example, null, 2)}'`];
}
