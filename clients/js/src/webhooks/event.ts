import type { Batch, EventType as EventTypeEntry, Job, JobError, Source } from '../generated/schema.js';

/** Event types. A newer service may have more. */
export type WebhookEventType = EventTypeEntry['type'];

/** A separate shape for each type, so that checking `type` narrows the event. */
type EventOf<Type extends WebhookEventType, Data> = Type extends WebhookEventType
  ? {
      /** The same for all attempts. Use it to detect duplicates. */
      readonly id: string;
      readonly type: Type;
      readonly createdAt: string;
      /** False for an event in test mode. Absent in services without test keys. */
      readonly livemode?: boolean;
      readonly data: Data;
    }
  : never;

type CompletedJob = Job & Required<Pick<Job, 'resultUrl' | 'result'>>;
type FailedJob = Job & { readonly error: JobError };

/** The quota that refused a request. */
export interface ExceededQuota {
  readonly quota: 'enhancements' | 'storage';
  /** Enhancements per month, or bytes. */
  readonly limit: number;
  readonly used: number;
  readonly resetsAt: string | null;
  readonly plan: string;
}

/** The body of a webhook. `type` determines the shape of `data`. */
export type WebhookEvent =
  | EventOf<'enhancement.queued', { readonly job: Job }>
  | EventOf<'enhancement.failed' | 'batch.item.failed', { readonly job: FailedJob }>
  | EventOf<'enhancement.completed' | 'job.completed' | 'image.completed', { readonly job: CompletedJob }>
  | EventOf<'image.uploaded' | 'upload.finished', { readonly upload: Source }>
  | EventOf<'quota.exceeded', { readonly quota: ExceededQuota }>
  | EventOf<'batch.completed', { readonly batch: Batch }>
  | EventOf<'ping', Record<string, never>>;
