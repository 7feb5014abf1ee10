import { Injectable } from '@nestjs/common';
import { Database, type Prepared } from '../../infra/database/database.js';
import { livemodeOf } from '../../kernel/accounts/livemode.js';
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
    const [row] = await this.database.query<Omit<KeptEvent, 'livemode'>>(EVENT, [accountId, eventId]);
    if (row === undefined) return undefined;
    const event = { ...row, livemode: livemodeOf(accountId) };
    return {
      headers: { 'content-type': 'application/json', 'webhook-id': event.id },
      body: eventBody(event),
    };
  }
}
