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

/** Selects all current and future types. */
export const EVERY_EVENT = '*';
/** The types that an endpoint can select. */
export type EventChoice = EventType | typeof EVERY_EVENT;

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
export function originalOf(type: EventType): EventType | null {
  return EVENT_TYPES.find((original) => ALIASES[original]?.includes(type) === true) ?? null;
}
