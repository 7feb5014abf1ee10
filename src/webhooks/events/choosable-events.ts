import type { Queryable } from '../../infra/database/database.js';
import type { EventTypeListDto } from './event-type.dto.js';
import { EVENT_CATALOG, SERVICE_EVENT_CATALOG } from './schemas/event-catalog.js';
import { serviceEvents } from './service-events.js';

/** The event types that endpoints of this account can choose, with their schemas. */
export async function choosableEvents(on: Queryable, accountId: string): Promise<EventTypeListDto> {
  const isOperator = await serviceEvents.areFor(on, accountId);
  return { data: isOperator ? [...EVENT_CATALOG, ...SERVICE_EVENT_CATALOG] : [...EVENT_CATALOG] };
}
