import { Injectable } from '@nestjs/common';
import { type Page, pageOf, readCursor } from '../../common/lists/pagination.js';
import { Database } from '../../infra/database/database.js';
import { AppError } from '../../kernel/app-error.js';
import { isId } from '../../kernel/ids.js';
import type { AttemptEntity } from './attempt.entity.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { presentDelivery } from './delivery-presenter.js';
import type { DeliveryDto } from './delivery.dto.js';
import type { DeliveryEntity } from './delivery.entity.js';
import { EndpointsRepository } from '../endpoints/endpoints.repository.js';
import type { ListDeliveriesQueryDto } from './list-deliveries-query.dto.js';

type PresentDelivery<Dto> = (delivery: DeliveryEntity, attempts: readonly AttemptEntity[]) => Dto;

/** Delivery history and redelivery. */
@Injectable()
export class DeliveriesService {
  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly endpoints: EndpointsRepository,
    private readonly database: Database,
  ) {}

  list(accountId: string, query: ListDeliveriesQueryDto): Promise<Page<DeliveryDto>> {
    return this.listAs(accountId, query, presentDelivery);
  }

  async listAs<Dto>(
    accountId: string,
    query: ListDeliveriesQueryDto,
    present: PresentDelivery<Dto>,
  ): Promise<Page<Dto>> {
    const { cursor, limit, endpointId, eventType, status } = query;
    const beforeId = cursor === undefined ? undefined : readCursor('delivery', cursor);
    const rows = await this.deliveries.list(accountId, { beforeId, endpointId, eventType, status }, limit);
    const attempts = await this.attemptsOf(rows.slice(0, limit));
    return pageOf(rows, limit, (row) => present(row, attempts.get(row.id) ?? []));
  }

  /** @throws AppError `not_found` */
  get(accountId: string, id: string): Promise<DeliveryDto> {
    return this.getAs(accountId, id, presentDelivery);
  }

  /** @throws AppError `not_found` */
  async getAs<Dto>(accountId: string, id: string, present: PresentDelivery<Dto>): Promise<Dto> {
    const delivery = await this.read(accountId, id);
    return present(delivery, await this.deliveries.attempts([id]));
  }

  /**
   * Redelivers, whatever the state of the delivery, as soon as its endpoint accepts events; retries by the
   * schedule.
   * @throws AppError `not_found`, `endpoint_disabled`
   */
  async redeliver(accountId: string, id: string): Promise<DeliveryDto> {
    const { endpointId } = await this.read(accountId, id);
    await this.database.transaction(async (tx) => {
      // Locked, so that the endpoint is not disabled meanwhile.
      const endpoint = await this.endpoints.findForUpdate(tx, accountId, endpointId);
      if (endpoint === undefined) throw deliveryNotFound(id);
      if (!endpoint.enabled) throw new AppError('endpoint_disabled');
      await this.deliveries.redeliver(tx, accountId, id);
    });
    return this.get(accountId, id);
  }

  private async read(accountId: string, id: string): Promise<DeliveryEntity> {
    // Text that is not an id is not queried: PostgreSQL would reject some of it.
    const delivery = isId('delivery', id) ? await this.deliveries.find(accountId, id) : undefined;
    if (delivery === undefined) throw deliveryNotFound(id);
    return delivery;
  }

  private async attemptsOf(rows: readonly DeliveryEntity[]): Promise<Map<string, AttemptEntity[]>> {
    const attempts = rows.length === 0 ? [] : await this.deliveries.attempts(rows.map(({ id }) => id));
    const byDelivery = new Map<string, AttemptEntity[]>();
    for (const attempt of attempts) {
      const known = byDelivery.get(attempt.deliveryId);
      if (known === undefined) byDelivery.set(attempt.deliveryId, [attempt]);
      else known.push(attempt);
    }
    return byDelivery;
  }
}

function deliveryNotFound(id: string): AppError {
  return new AppError('not_found', { detail: `There is no webhook delivery "${id}" in your account.` });
}
