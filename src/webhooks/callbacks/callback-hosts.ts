import { Injectable } from '@nestjs/common';
import { invalidRequest } from '../../common/validation/validation.pipe.js';
import type { Queryable } from '../../infra/database/database.js';
import { newId } from '../../kernel/ids.js';
import { EndpointSecrets, unexpired } from '../endpoints/endpoint-secrets.js';
import type { Endpoint } from '../endpoints/endpoint.entity.js';
import { CallbackHostsRepository } from './callback-hosts.repository.js';

/** Hosts of one account, and the row of its secret. */
const MAX_HOSTS = 101;

/**
 * Prepares hosts for callbacks. Each host of an account is an endpoint of its own, so that attempts, pauses and failures
 * of one do not slow the others.
 */
@Injectable()
export class CallbackHosts {
  constructor(
    private readonly hosts: CallbackHostsRepository,
    private readonly secrets: EndpointSecrets,
  ) {}

  /**
   * Makes sure that events for `url` can be delivered: a host that was disabled after days of failures gets another
   * chance. Call it in the transaction that creates the job, after the storage counter is locked and before that of
   * the enhancements.
   * @throws AppError `invalid_request` when the account uses too many hosts
   */
  async prepare(tx: Queryable, accountId: string, url: string): Promise<void> {
    const { origin } = new URL(url);
    const known = await this.hosts.find(tx, accountId, origin);
    if (known !== undefined) return this.hosts.use(tx, known.id);
    const secret = await this.secretOf(tx, accountId);
    await this.hosts.insert(tx, accountId, origin, this.copied(secret, newId('webhookEndpoint')), MAX_HOSTS);
    if ((await this.hosts.find(tx, accountId, origin)) !== undefined) return;
    const message = `callbackUrl: an account can use at most ${MAX_HOSTS - 1} callback hosts. Use a host that is already in use, or register a webhook endpoint.`;
    throw invalidRequest([{ field: 'callbackUrl', code: 'limit', message }]);
  }

  private async secretOf(tx: Queryable, accountId: string): Promise<Endpoint> {
    const found = await this.hosts.sharedSecret(tx, accountId);
    if (found !== undefined) return found;
    const id = newId('webhookEndpoint');
    await this.hosts.insertSecret(tx, accountId, {
      id,
      sealedSecret: this.secrets.make(id),
      previousSecrets: [],
    });
    return (await this.hosts.sharedSecret(tx, accountId))!;
  }

  /** The same secrets, sealed for another row. */
  private copied(from: Endpoint, id: string): Pick<Endpoint, 'id' | 'sealedSecret' | 'previousSecrets'> {
    const sealedFor = (sealed: Uint8Array) => this.secrets.seal(id, this.secrets.open(from.id, sealed));
    return {
      id,
      sealedSecret: sealedFor(from.sealedSecret),
      previousSecrets: unexpired(from.previousSecrets, Date.now()).map(({ sealed, expiresAt }) => ({
        sealed: sealedFor(Buffer.from(sealed, 'base64')).toString('base64'),
        expiresAt,
      })),
    };
  }
}
