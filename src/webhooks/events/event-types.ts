/** Every event type: those of the specification, including the alias `image.completed`, and those of batches. */
export const EVENT_TYPES = [
  'enhancement.queued',
  'enhancement.completed',
  'enhancement.failed',
  'image.uploaded',
  'quota.exceeded',
  'ping',
  'job.completed',
  'image.completed',
  'upload.finished',
  'batch.completed',
  'batch.item.failed',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** For the operator's billing system. Only endpoints of operators can choose them, and `*` does not include them. */
export const SERVICE_EVENT_TYPES = ['plan.requested', 'plan.changed', 'usage.recorded'] as const;
export type ServiceEventType = (typeof SERVICE_EVENT_TYPES)[number];

/** The type of any event in the outbox. */
export type AnyEventType = EventType | ServiceEventType;
export const ANY_EVENT_TYPES: readonly AnyEventType[] = [...EVENT_TYPES, ...SERVICE_EVENT_TYPES];

export function isServiceEvent(type: string): type is ServiceEventType {
  return (SERVICE_EVENT_TYPES as readonly string[]).includes(type);
}

const SERVICE_TYPES_SQL = SERVICE_EVENT_TYPES.map((type) => `'${type}'`).join(', ');

/** Whether a type, given as an SQL expression, is one for customers. */
export const isCustomerEventSql = (type: string): string => `${type} NOT IN (${SERVICE_TYPES_SQL})`;

/**
 * Whether an account may get events of a type now, both given as SQL expressions. Deleting the events about customers of
 * a former operator takes a while, and a transaction that began earlier may still write one: nobody gets those.
 */
export const mayGetEventSql = (accountId: string, type: string): string =>
  `(${isCustomerEventSql(type)} OR EXISTS (
      SELECT FROM accounts o WHERE o.id = ${accountId} AND o.operator_since IS NOT NULL))`;

/** Selects all current and future types, except those for operators. */
export const EVERY_EVENT = '*';
/** The types that an endpoint can select. */
export type EventChoice = AnyEventType | typeof EVERY_EVENT;

/** Types that are sent together with another one, as separate events. */
const ALIASES: Readonly<Partial<Record<EventType, readonly EventType[]>>> = {
  'enhancement.completed': ['job.completed', 'image.completed'],
  'image.uploaded': ['upload.finished'],
};

/** The type itself and its aliases. */
export function withAliases(type: EventType): readonly EventType[] {
  return [type, ...(ALIASES[type] ?? [])];
}

/** The type that this one accompanies, or null. */
export function originalOf(type: AnyEventType): EventType | null {
  return EVENT_TYPES.find((original) => ALIASES[original]?.some((alias) => alias === type) === true) ?? null;
}
