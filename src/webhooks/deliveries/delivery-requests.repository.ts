import { Injectable } from '@nestjs/common';
import { Database, type Prepared } from '../../infra/database/database.js';
import type { DeliveryRequestDto } from './session-delivery.dto.js';
import { eventBody, type KeptEvent } from '../events/event-body.js';

const EVENT: Prepared = {
  name: 'dashboard_event',
  text: `SELECT id, type, created_at AS "createdAt", data FROM events WHERE account_id = $1 AND id = $2`,
};

/** The request bodies of deliveries. */
@Injectable()
export class DeliveryRequestsRepository {
  constructor(private readonly database: Database) {}

  /** Undefined after the event was deleted by retention. */
  async of(accountId: string, eventId: string): Promise<DeliveryRequestDto | undefined> {
    const [event] = await this.database.query<KeptEvent & Record<string, unknown>>(EVENT, [
      accountId,
      eventId,
    ]);
    if (event === undefined) return undefined;
    return {
      headers: { 'content-type': 'application/json', 'webhook-id': event.id },
      body: eventBody(event),
    };
  }
}
