import { Injectable } from '@nestjs/common';
import { auditLog } from '../../audit/audit-log.js';
import {
  fingerprintOf,
  type IdempotentAnswer,
  IdempotencyService,
} from '../../idempotency/idempotency.service.js';
import { newId } from '../../kernel/ids.js';
import { newWebhookSecret } from '../../kernel/webhooks/webhook-signature.js';
import { EndpointSecrets, retire, unexpired } from '../endpoints/endpoint-secrets.js';
import type { Endpoint } from '../endpoints/endpoint.entity.js';
import type { RotateSecretDto } from '../endpoints/rotate-secret.dto.js';
import { CallbackHostsRepository } from './callback-hosts.repository.js';
import type { CallbackSecretDto, NewCallbackSecretDto } from './callback-secret.dto.js';

/** What clients see, as a plain object. */
type CallbackSecretView = Pick<CallbackSecretDto, keyof CallbackSecretDto>;

interface SealedAnswer extends CallbackSecretView {
  readonly id: string;
  readonly sealed: string;
}

/** The secret that signs the callbacks of an account. Shown only when it is created. */
@Injectable()
export class CallbackSecret {
  constructor(
    private readonly hosts: CallbackHostsRepository,
    private readonly secrets: EndpointSecrets,
    private readonly idempotency: IdempotencyService,
  ) {}

  async read(accountId: string): Promise<CallbackSecretDto> {
    return presented(await this.hosts.secret(accountId));
  }

  /**
   * Creates the first secret, or replaces it; a replaced one still signs for a while.
   * @throws AppError `idempotency_*`
   */
  async rotate(
    accountId: string,
    { overlapSeconds }: RotateSecretDto,
    key: string | undefined,
  ): Promise<IdempotentAnswer<NewCallbackSecretDto>> {
    const fingerprint = fingerprintOf('POST /api/webhooks/callback-secret', { overlapSeconds });
    const { body, replayed } = await this.idempotency.run({ accountId, key, fingerprint }, async (tx) => {
      const secret = newWebhookSecret();
      const known = await this.hosts.lockedSecret(tx, accountId);
      if (known === undefined) {
        const id = newId('webhookEndpoint');
        const sealedSecret = this.secrets.seal(id, secret);
        await this.hosts.insertSecret(tx, accountId, { id, sealedSecret, previousSecrets: [] });
      }
      const nowMs = Date.now();
      for (const host of known === undefined ? [] : await this.hosts.all(tx, accountId)) {
        const previousSecrets = retire(host, overlapSeconds, nowMs);
        const sealedSecret = this.secrets.seal(host.id, secret);
        await this.hosts.replaceSecret(tx, { id: host.id, sealedSecret, previousSecrets });
      }
      const kept = (await this.hosts.lockedSecret(tx, accountId))!;
      const details = { overlapSeconds };
      await auditLog.record(tx, { action: 'callback_secret.rotated', accountId, targetId: kept.id, details });
      return { ...presented(kept), id: kept.id, sealed: kept.sealedSecret.toString('base64') };
    });
    return { body: this.opened(body), replayed };
  }

  /** A stored response contains its secret sealed, like all secrets at rest. */
  private opened({ id, sealed, ...shown }: SealedAnswer): NewCallbackSecretDto {
    return { ...shown, secret: this.secrets.open(id, Buffer.from(sealed, 'base64')) };
  }
}

function presented(secret: Endpoint | undefined): CallbackSecretView {
  const expiries = unexpired(secret?.previousSecrets ?? [], Date.now()).map(({ expiresAt }) => expiresAt);
  return {
    createdAt: secret?.createdAt.toISOString() ?? null,
    previousSecretExpiresAt: expiries.toSorted().at(-1) ?? null,
  };
}
