import type { Batch, EventType as EventTypeEntry, Job, Source } from '../generated/schema.js';

/** The types of events. A newer service may have more. */
export type WebhookEventType = EventTypeEntry['type'];

/** One shape for each type, so that a test of `type` tells which. */
type EventOf<Type extends WebhookEventType, Data> = Type extends WebhookEventType
  ? {
      /** The same over all attempts: recognise by it what you have had. */
      readonly id: string;
      readonly type: Type;
      readonly createdAt: string;
      /** False for an event of test mode. Services before test keys send none. */
      readonly livemode?: boolean;
      readonly data: Data;
    }
  : never;

type CompletedJob = Job & Required<Pick<Job, 'resultUrl' | 'result'>>;

/** A quota that refused a request. */
export interface ExceededQuota {
  readonly quota: 'enhancements' | 'storage';
  /** Enhancements a month, or bytes. */
  readonly limit: number;
  readonly used: number;
  readonly resetsAt: string | null;
  readonly plan: string;
}

/** The body of a webhook; `type` tells what `data` holds. */
export type WebhookEvent =
  | EventOf<'enhancement.queued' | 'enhancement.failed', { readonly job: Job }>
  | EventOf<'enhancement.completed' | 'job.completed' | 'image.completed', { readonly job: CompletedJob }>
  | EventOf<'image.uploaded' | 'upload.finished', { readonly upload: Source }>
  | EventOf<'quota.exceeded', { readonly quota: ExceededQuota }>
  | EventOf<'batch.completed', { readonly batch: Batch }>
  | EventOf<'batch.item.failed', { readonly job: Job }>
  | EventOf<'ping', Record<string, never>>;
