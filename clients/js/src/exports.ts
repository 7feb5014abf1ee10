// Exports of both entry points, for Node.js and for browsers.
export { type DownloadOptions, type DownloadProgress, BatchResults } from './batches/batch-results.js';
export type { ListItemsQuery } from './batches/batches.js';
export type { BatchWaitOptions } from './batches/wait-for-batch.js';
export type { EnhanceOptions, EnhanceProgress, OrderOptions } from './enhance.js';
export * from './errors.js';
export { ApiPromise, type RateLimit, type ResponseInfo, type WithResponse } from './http/api-promise.js';
export type { FileInput, ImageInput } from './files/file-input.js';
export type * from './generated/schema.js';
export type { JobState } from './jobs/follow-job.js';
export type { ListJobsQuery } from './jobs/jobs.js';
export type { BatchOrder, Enhancement, JobOrder, JobStep, JobTerms, OperationName } from './jobs/order.js';
export type { WaitOptions } from './jobs/wait-for-job.js';
export type { UploadProgress } from './files/file-with-progress.js';
export type {
  ClientOptions,
  CreateOptions,
  RequestOptions,
  SendOptions,
  UploadOptions,
  UsageExportOptions,
} from './options.js';
export { List, Page } from './page.js';
export { EnhanceResult } from './result.js';
export { VERSION } from './version.js';
export type { ListDeliveriesQuery } from './webhooks/deliveries.js';
export type { ExceededQuota, WebhookEvent, WebhookEventType } from './webhooks/event.js';
export { type RawBody, signTestHeader } from './webhooks/signature.js';
export { type HeaderValue, verifyWebhook, type VerifyOptions } from './webhooks/verify.js';
