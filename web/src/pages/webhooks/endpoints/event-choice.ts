import { t } from '@lingui/core/macro';
import type { CreateEndpoint, EventType as EventTypeInfo } from 'image-enhancement-client';

type Events = NonNullable<CreateEndpoint['events']>;

/** Selects every current and future event type, including aliases. */
const EVERY = '*';

/** The types that are not aliases. An endpoint with all of them gets each event once. */
export function originals(types: readonly Pick<EventTypeInfo, 'type' | 'aliasOf'>[]): Events {
  return types.filter(({ aliasOf }) => aliasOf === null).map(({ type }) => type as Events[number]);
}

/** Whether an endpoint was created with every type, including aliases. */
export function hasEvery(events: readonly string[]): boolean {
  return events.includes(EVERY);
}

/** The labels of an endpoint's events: one label for all of them, otherwise their types. */
export function eventLabels(
  events: readonly string[],
  types: readonly Pick<EventTypeInfo, 'type' | 'aliasOf'>[],
): readonly string[] {
  if (hasEvery(events)) return [t`All events and aliases`];
  const all = originals(types);
  const isAll = all.length > 0 && all.length === events.length && all.every((type) => events.includes(type));
  return isAll ? [t`All events`] : events;
}
