import type { OpenAPIObject } from '@nestjs/swagger';
import { EVENT_CATALOG, type EventCatalogEntry } from '../../../webhooks/events/schemas/event-catalog.js';

/** The `webhooks` of OpenAPI 3.1: one for each event type, from the catalog that `GET /api/webhooks/events` returns. */
export function webhooks(): NonNullable<OpenAPIObject['webhooks']> {
  return Object.fromEntries(EVENT_CATALOG.map((entry) => [entry.type, { post: webhook(entry) }]));
}

function webhook({ type, description, schema, example }: EventCatalogEntry) {
  const { $schema: _dialect, ...body } = schema;
  return {
    operationId: `webhook_${type.replaceAll('.', '_')}`,
    summary: type,
    description,
    tags: ['Webhooks'],
    parameters: [
      {
        name: 'X-Service-Signature',
        in: 'header' as const,
        required: true,
        description:
          '`t=<Unix seconds>,v1=<hex>`: HMAC-SHA256 of the time, a dot, and the body; several `v1` during a rotation.',
        schema: { type: 'string' as const },
      },
    ],
    requestBody: { required: true, content: { 'application/json': { schema: body, example } } },
    responses: {
      '2XX': { description: 'Received. After any other response, or a timeout, the delivery is retried.' },
    },
  };
}
