import type { OpenAPIObject } from '@nestjs/swagger';

/** Adds `security: []` where no key is needed, so that a missing requirement does not look like an oversight. */
export function withPublicSecurity(document: OpenAPIObject): OpenAPIObject {
  return { ...document, paths: secured(document.paths), webhooks: secured(document.webhooks ?? {}) };
}

function secured<Items extends object>(items: Items): Items {
  const entries = Object.entries(items as Record<string, Record<string, object>>).map(([name, item]) => [
    name,
    Object.fromEntries(Object.entries(item).map(([method, each]) => [method, { security: [], ...each }])),
  ]);
  return Object.fromEntries(entries) as Items;
}
