import { Inject, Injectable } from '@nestjs/common';
import { type Page, pageOf, readCursor } from '../../common/lists/pagination.js';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import {
  fingerprintOf,
  type IdempotentAnswer,
  IdempotencyService,
} from '../../idempotency/idempotency.service.js';
import { auditLog } from '../../audit/audit-log.js';
import { AppError } from '../../kernel/app-error.js';
import { isId, newId } from '../../kernel/ids.js';
import type { CreateEndpointDto } from './create-endpoint.dto.js';
import { type EndpointView, presentEndpoint } from './endpoint-presenter.js';
import { EndpointSecrets, retire } from './endpoint-secrets.js';
import { acceptedUrl } from './endpoint-url.js';
import type { Endpoint } from './endpoint.entity.js';
import { EndpointsRepository } from './endpoints.repository.js';
import { EVERY_EVENT } from '../events/event-types.js';
import { serviceEvents } from '../events/service-events.js';
import type { RotateSecretDto } from './rotate-secret.dto.js';

/** Endpoints of one account. */
export const MAX_ENDPOINTS = 20;

/** The only responses that contain a secret. */
export type EndpointWithSecret = EndpointView & { readonly secret: string };

/** Creates, reads and deletes endpoints, and manages their secrets. */
@Injectable()
export class EndpointsService {
  constructor(
    private readonly endpoints: EndpointsRepository,
    private readonly secrets: EndpointSecrets,
    private readonly idempotency: IdempotencyService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @throws AppError `invalid_request`, `endpoint_limit_reached`, `idempotency_*` */
  async create(
    accountId: string,
    dto: CreateEndpointDto,
    key: string | undefined,
  ): Promise<IdempotentAnswer<EndpointWithSecret>> {
    const url = acceptedUrl(dto.url, this.config);
    const fingerprint = fingerprintOf('POST /api/webhooks/endpoints', dto);
    const answer = await this.idempotency.run({ accountId, key, fingerprint }, async (tx) => {
      await serviceEvents.requireChoosable(tx, accountId, dto.events);
      const id = newId('webhookEndpoint');
      const endpoint = {
        id,
        accountId,
        url,
        events: dto.events ?? [EVERY_EVENT],
        description: dto.description ?? null,
        metadata: dto.metadata ?? {},
        sealedSecret: this.secrets.make(id),
        createdAt: new Date(),
      };
      const created = await this.endpoints.insert(tx, endpoint, MAX_ENDPOINTS);
      if (created === undefined) throw new AppError('endpoint_limit_reached');
      const details = { url: new URL(url).origin, events: endpoint.events };
      await auditLog.record(tx, { action: 'endpoint.created', accountId, targetId: id, details });
      return sealedAnswer(created);
    });
    return this.opened(answer);
  }

  async list(accountId: string, limit: number, cursor: string | undefined): Promise<Page<EndpointView>> {
    const before = cursor === undefined ? undefined : readCursor('webhookEndpoint', cursor);
    return pageOf(await this.endpoints.list(accountId, limit, before), limit, presentEndpoint);
  }

  /** @throws AppError `not_found` */
  async get(accountId: string, id: string): Promise<EndpointView> {
    refuseUnlessEndpointId(id);
    const endpoint = await this.endpoints.find(accountId, id);
    if (endpoint === undefined) throw endpointNotFound(id);
    return presentEndpoint(endpoint);
  }

  /**
   * Deletes the endpoint with all deliveries.
   * @throws AppError `not_found`
   */
  async delete(accountId: string, id: string): Promise<void> {
    refuseUnlessEndpointId(id);
    if (!(await this.endpoints.delete(accountId, id))) throw endpointNotFound(id);
  }

  /**
   * Replaces the secret; the old one still signs for a while. An `Idempotency-Key` prevents a second
   * replacement by a retry.
   * @throws AppError `not_found`, `idempotency_*`
   */
  async rotateSecret(
    accountId: string,
    id: string,
    dto: RotateSecretDto,
    key: string | undefined,
  ): Promise<IdempotentAnswer<EndpointWithSecret>> {
    refuseUnlessEndpointId(id);
    const fingerprint = fingerprintOf(`POST /api/webhooks/endpoints/${id}/rotate-secret`, dto);
    const answer = await this.idempotency.run({ accountId, key, fingerprint }, async (tx) => {
      const endpoint = await this.endpoints.findForUpdate(tx, accountId, id);
      if (endpoint === undefined || endpoint.callback) throw endpointNotFound(id);
      const previousSecrets = retire(endpoint, dto.overlapSeconds, Date.now());
      const sealedSecret = this.secrets.make(id);
      const details = { overlapSeconds: dto.overlapSeconds };
      await auditLog.record(tx, { action: 'endpoint.secret_rotated', accountId, targetId: id, details });
      return sealedAnswer(
        await this.endpoints.replaceSecret(tx, { ...endpoint, sealedSecret, previousSecrets }),
      );
    });
    return this.opened(answer);
  }

  /** A stored response contains its secret sealed, like all secrets at rest. */
  private opened(answer: IdempotentAnswer<EndpointWithSecret>): IdempotentAnswer<EndpointWithSecret> {
    const { body } = answer;
    const secret = this.secrets.open(body.id, Buffer.from(body.secret, 'base64'));
    return { ...answer, body: { ...body, secret } };
  }
}

function sealedAnswer(endpoint: Endpoint): EndpointWithSecret {
  return { ...presentEndpoint(endpoint), secret: endpoint.sealedSecret.toString('base64') };
}

/** Text that is not an id is not queried: PostgreSQL would reject some of it. */
export function refuseUnlessEndpointId(id: string): void {
  if (!isId('webhookEndpoint', id)) throw endpointNotFound(id);
}

export function endpointNotFound(id: string): AppError {
  return new AppError('not_found', { detail: `There is no webhook endpoint "${id}" in your account.` });
}
