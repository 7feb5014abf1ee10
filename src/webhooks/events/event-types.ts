/** Every event type of the specification, `image.completed` (an alias that is sent too) included. */
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
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Chooses every type there is or will be. */
export const EVERY_EVENT = '*';
/** What an endpoint can choose. */
export type EventChoice = EventType | typeof EVERY_EVENT;

/** Types that are sent together with another one, as events of their own. */
const ALIASES: Readonly<Partial<Record<EventType, readonly EventType[]>>> = {
  'enhancement.completed': ['job.completed', 'image.completed'],
  'image.uploaded': ['upload.finished'],
};

/** The type itself and its aliases. */
export function withAliases(type: EventType): readonly EventType[] {
  return [type, ...(ALIASES[type] ?? [])];
}

/** The type that this one is sent together with, or null for one that stands by itself. */
export function originalOf(type: EventType): EventType | null {
  return EVENT_TYPES.find((original) => ALIASES[original]?.includes(type) === true) ?? null;
}
