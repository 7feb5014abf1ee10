import type { DeliveryDto } from '../../../src/webhooks/deliveries/delivery.dto.js';
import { newId } from '../../../src/kernel/ids.js';
import type { EndpointWithSecretDto } from '../../../src/webhooks/endpoints/endpoint.dto.js';
import type { EventType } from '../../../src/webhooks/events/event-types.js';
import type { FlowAccount } from '../roles/flow-account.js';
import type { FlowClient } from '../roles/flow-client.js';
import type { FlowDatabase } from '../database/flow-database.js';
import type { FlowService } from '../roles/flow-service.js';
import type { SharedService } from '../roles/shared-service.js';
import { eventually } from '../roles/flow-wait.js';

/** Variables of a service that may send to this machine, with delays short enough for a test. */
export const WEBHOOK_ENV = {
  WEBHOOK_ALLOW_HTTP: 'true',
  WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8',
  WEBHOOK_TIMEOUT_MS: '1000',
  WEBHOOK_RETRY_DELAYS_MS: '0,200,400,600,800,1000,1000,1000,1000,1000,1000,1000',
} as const;

/** The webhook part of the API, for one account. */
export class FlowWebhooks {
  private constructor(
    readonly client: FlowClient & { readonly account: FlowAccount },
    private readonly database: FlowDatabase,
  ) {}

  /** A new account whose key has all scopes. */
  static async of(service: FlowService | SharedService): Promise<FlowWebhooks> {
    const client = await service.client();
    await service.database.rows('UPDATE api_keys SET scopes = $2 WHERE account_id = $1', [
      client.account.accountId,
      ['image:read', 'image:write', 'ai:enhance', 'webhook:manage'],
    ]);
    return new FlowWebhooks(client, service.database);
  }

  /** Writes events of this account, like the transaction that causes them. @returns their ids */
  async emit(count: number, type: EventType = 'image.uploaded'): Promise<string[]> {
    const ids = Array.from({ length: count }, () => newId('event'));
    await this.database.rows(
      `INSERT INTO events (id, account_id, type, data, created_at)
       SELECT id, $2, $3, $4, now() FROM unnest($1::text[]) AS id`,
      [ids, this.client.account.accountId, type, { upload: { id: newId('source') } }],
    );
    return ids;
  }

  async register(url: string, events?: readonly string[]): Promise<EndpointWithSecretDto> {
    const body = { url, ...(events === undefined ? {} : { events }) };
    return (await this.expected(201, 'POST', '/endpoints', body)) as unknown as EndpointWithSecretDto;
  }

  async endpoint(id: string): Promise<EndpointWithSecretDto> {
    return (await this.expected(200, 'GET', `/endpoints/${id}`)) as unknown as EndpointWithSecretDto;
  }

  async ping(endpointId: string): Promise<DeliveryDto> {
    return (await this.expected(202, 'POST', `/endpoints/${endpointId}/ping`)) as unknown as DeliveryDto;
  }

  async delivery(id: string): Promise<DeliveryDto> {
    return (await this.expected(200, 'GET', `/deliveries/${id}`)) as unknown as DeliveryDto;
  }

  async deliveries(query: string): Promise<DeliveryDto[]> {
    return (await this.expected(200, 'GET', `/deliveries?limit=100&${query}`))['data'] as DeliveryDto[];
  }

  /** Waits until a delivery is in this state. */
  async until(id: string, status: DeliveryDto['status']): Promise<DeliveryDto> {
    return eventually(`${id} to be ${status}`, async () => {
      const delivery = await this.delivery(id);
      return delivery.status === status ? { found: delivery } : { seen: delivery };
    });
  }

  /** A request below /api/webhooks. @throws Error for any other status */
  async expected(
    status: number,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Record<string, unknown>> {
    const answer = await this.client.request(method, `/api/webhooks${path}`, body);
    if (answer.status !== status)
      throw new Error(`${method} ${path} answers ${answer.status}: ${JSON.stringify(answer.json)}`);
    return answer.json;
  }
}
