import type { OpenAPIObject } from '@nestjs/swagger';
import { mapOperations } from './openapi-operations.js';

const SOURCE_URL =
  'https://images.example/files/src_0193f2c4a1a07c3d8e4f5a6b7c8d9e0f.jpg?exp=1795334400&sig=5f2c4a';

/** An example body for each operation that accepts JSON. */
const EXAMPLES: Readonly<Record<string, object>> = {
  uploadImage: { url: 'https://images.example/photo.jpg' },
  createDirectUpload: { bytes: 208_411, fileName: 'photo.jpg' },
  createJob: {
    sourceUrl: SOURCE_URL,
    operation: 'bg_remove',
    level: 'high',
    output: { format: 'jpeg', quality: 90, background: '#ffffff' },
    metadata: { orderId: '4711' },
  },
  createBatch: {
    sourceUrls: [SOURCE_URL],
    operation: 'upscale',
    level: 'medium',
    metadata: { orderId: '4711' },
    onQuota: 'partial',
  },
  savePreset: {
    operations: [{ operation: 'auto_enhance', level: 'low' }, { operation: 'upscale' }],
    output: { format: 'webp', quality: 85 },
  },
  retryBatch: { includeCanceled: false },
  createWebhookEndpoint: {
    url: 'https://example.com/webhooks/images',
    events: ['job.completed', 'enhancement.failed'],
    description: 'The shop',
  },
  updateWebhookEndpoint: { enabled: false },
  rotateWebhookSecret: { overlapSeconds: 3600 },
  rotateCallbackSecret: { overlapSeconds: 3600 },
  recoverWebhookEndpoint: { since: '2026-11-21T08:00:00.000Z' },
};

/** Adds an example of each JSON body to the document. */
export function withRequestExamples(document: OpenAPIObject): OpenAPIObject {
  return mapOperations(document, (operation) => {
    const example = EXAMPLES[operation.operationId ?? ''];
    const { requestBody } = operation;
    if (example === undefined || requestBody === undefined) return operation;
    const content = Object.entries(requestBody.content).map(([type, media]) =>
      type === 'application/json' ? [type, { ...media, example }] : [type, media],
    );
    return { ...operation, requestBody: { ...requestBody, content: Object.fromEntries(content) } };
  });
}
