import { t } from '@lingui/core/macro';
import type { CreateEndpoint, EventType as EventTypeInfo } from 'image-enhancement-client';

type Events = NonNullable<CreateEndpoint['events']>;

/** Selects every current and future event type, including aliases. */
const EVERY = '*';

/** Contain data of all customers, for the operator's billing system. An endpoint gets them only if it names them. */
const SERVICE_TYPES = new Set<string>(['plan.requested', 'plan.changed', 'usage.recorded'] satisfies Events);

type TypeInfo = Pick<EventTypeInfo, 'type' | 'aliasOf'>;

/** The types of the account's own events that are not aliases. An endpoint with all of them gets each event once. */
export function originals(types: readonly TypeInfo[]): Events {
  return types
    .filter(({ type, aliasOf }) => aliasOf === null && !SERVICE_TYPES.has(type))
    .map(({ type }) => type);
}

export interface EventChoice {
  /** The types before the edit; null for a new endpoint. */
  readonly before: Events | null;
  readonly isEvery: boolean;
  /** The selected types, unless every type is. */
  readonly selected: readonly string[];
  /** The types that the account can choose. */
  readonly types: readonly TypeInfo[];
}

/**
 * The types that a form sends. Undefined if an edit leaves them as they are, because the service would refuse those
 * that the account can no longer choose.
 */
export function eventsToSend({ before, isEvery, selected, types }: EventChoice): Events | undefined {
  if (before !== null && hasEvery(before) && isEvery) return undefined;
  if (isEvery) return originals(types);
  if (before !== null && before.length === selected.length && before.every((type) => selected.includes(type)))
    return undefined;
  return types.map(({ type }) => type).filter((type) => selected.includes(type));
}

/** Whether an endpoint was created with every type, including aliases. */
export function hasEvery(events: readonly string[]): boolean {
  return events.includes(EVERY);
}

/** The labels of an endpoint's events: one label for all of them, otherwise their types. */
export function eventLabels(events: readonly string[], types: readonly TypeInfo[]): readonly string[] {
  if (hasEvery(events)) return [t`All events and aliases`];
  const all = originals(types);
  const isAll = all.length > 0 && all.length === events.length && all.every((type) => events.includes(type));
  return isAll ? [t`All events`] : events;
}
