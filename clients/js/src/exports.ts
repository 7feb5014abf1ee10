// What both entries, for Node.js and for pages, have in common.
export type { EnhanceOptions, EnhanceProgress } from './enhance.js';
export * from './errors.js';
export { ApiPromise, type RateLimit, type ResponseInfo, type WithResponse } from './http/api-promise.js';
export type { FileInput, ImageInput } from './files/file-input.js';
export type * from './generated/schema.js';
export type { JobState } from './jobs/follow-job.js';
export type { ListJobsQuery } from './jobs/jobs.js';
export type { JobOrder, OperationName } from './jobs/order.js';
export type { WaitOptions } from './jobs/wait-for-job.js';
export type { ClientOptions, CreateOptions, RequestOptions } from './options.js';
export { List, Page } from './page.js';
export { EnhanceResult } from './result.js';
export { VERSION } from './version.js';
export type { ListDeliveriesQuery } from './webhooks/deliveries.js';
export type { ExceededQuota, WebhookEvent, WebhookEventType } from './webhooks/event.js';
export { type RawBody, signTestHeader } from './webhooks/signature.js';
export { type HeaderValue, verifyWebhook, type VerifyOptions } from './webhooks/verify.js';
