import type { EndpointDto } from './endpoint.dto.js';
import type { Endpoint } from './endpoint.entity.js';
import { unexpired } from './endpoint-secrets.js';

/** What clients see, as a plain object. */
export type EndpointView = Pick<EndpointDto, keyof EndpointDto>;

/** What clients see of an endpoint: everything but its secrets. */
export function presentEndpoint(endpoint: Endpoint): EndpointView {
  const expiries = unexpired(endpoint.previousSecrets, Date.now()).map(({ expiresAt }) => expiresAt);
  return {
    id: endpoint.id,
    url: endpoint.url,
    events: endpoint.events,
    description: endpoint.description,
    metadata: endpoint.metadata,
    enabled: endpoint.enabled,
    disabledReason: endpoint.disabledReason,
    failingSince: endpoint.firstFailureAt?.toISOString() ?? null,
    lastFailureAt: endpoint.lastFailureAt?.toISOString() ?? null,
    previousSecretExpiresAt: expiries.toSorted().at(-1) ?? null,
    createdAt: endpoint.createdAt.toISOString(),
    updatedAt: endpoint.updatedAt.toISOString(),
  };
}
