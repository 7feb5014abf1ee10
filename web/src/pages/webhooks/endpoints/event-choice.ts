import { t } from '@lingui/core/macro';
import type { CreateEndpoint, EventType as EventTypeInfo } from 'image-enhancement-client';

type Events = NonNullable<CreateEndpoint['events']>;

/** Chooses every type of event there is or will be, aliases included. */
const EVERY = '*';

/** The types that are no alias: an endpoint with all of them gets each event once. */
export function originals(types: readonly Pick<EventTypeInfo, 'type' | 'aliasOf'>[]): Events {
  return types.filter(({ aliasOf }) => aliasOf === null).map(({ type }) => type as Events[number]);
}

/** Whether an endpoint was created with every type, aliases included. */
export function hasEvery(events: readonly string[]): boolean {
  return events.includes(EVERY);
}

/** What to show for an endpoint's events: one label for all of them, else their types. */
export function eventLabels(
  events: readonly string[],
  types: readonly Pick<EventTypeInfo, 'type' | 'aliasOf'>[],
): readonly string[] {
  if (hasEvery(events)) return [t`All events and aliases`];
  const all = originals(types);
  const isAll = all.length > 0 && all.length === events.length && all.every((type) => events.includes(type));
  return isAll ? [t`All events`] : events;
}
