import { Injectable } from '@nestjs/common';
import { SecretBox } from '../../infra/sealing/secret-box.js';
import { newWebhookSecret } from '../../kernel/webhooks/webhook-signature.js';
import type { EndpointEntity, PreviousSecret } from './endpoint.entity.js';

/** Every secret signs each delivery, so a header has at most this many signatures besides the current one. */
const MAX_PREVIOUS = 4;

/** The columns of an endpoint with its secrets. */
export type SecretsOfEndpoint = Pick<EndpointEntity, 'id' | 'sealedSecret' | 'previousSecrets'>;

/** Creates, replaces and decrypts signing secrets. Everywhere else they are sealed. */
@Injectable()
export class EndpointSecrets {
  constructor(private readonly box: SecretBox) {}

  /** A new secret, sealed for this endpoint. */
  make(endpointId: string): Buffer {
    return this.seal(endpointId, newWebhookSecret());
  }

  /** Seals a secret for this endpoint. */
  seal(endpointId: string, secret: string): Buffer {
    return this.box.seal(secret, endpointId);
  }

  /** @throws SealError when it was sealed with another key */
  open(endpointId: string, sealed: Uint8Array): string {
    return this.box.open(sealed, endpointId);
  }

  /**
   * The secrets that sign now, the current one first.
   * @throws SealError
   */
  inForce(endpoint: SecretsOfEndpoint, nowMs: number): string[] {
    const previous = unexpired(endpoint.previousSecrets, nowMs);
    return [endpoint.sealedSecret, ...previous.map(({ sealed }) => Buffer.from(sealed, 'base64'))].map(
      (sealed) => this.open(endpoint.id, sealed),
    );
  }
}

/** The previous secrets after a replacement; the current one becomes the first of them. */
export function retire(
  endpoint: SecretsOfEndpoint,
  overlapSeconds: number,
  nowMs: number,
): readonly PreviousSecret[] {
  const expiresAt = new Date(nowMs + overlapSeconds * 1_000).toISOString();
  const retired = { sealed: endpoint.sealedSecret.toString('base64'), expiresAt };
  return unexpired([retired, ...endpoint.previousSecrets], nowMs).slice(0, MAX_PREVIOUS);
}

/** Those that still sign. */
export function unexpired(previous: readonly PreviousSecret[], nowMs: number): readonly PreviousSecret[] {
  return previous.filter(({ expiresAt }) => Date.parse(expiresAt) > nowMs);
}
