// Made from the OpenAPI document by `npm run docs:sync`. Do not edit.
/* eslint-disable max-lines -- one file for all that the document defines */

export interface AppliedOutput {
  /** The part of the picture that the result shows. */
  crop?: JobCrop;
  shadow?: AppliedShadow;
  background?: 'color' | 'picture';
  kind: 'image' | 'mask' | 'edges';
  /** Quality setting of the encoder; absent for PNG. */
  quality?: number;
  metadata: 'strip' | 'keep' | 'keep-no-gps';
  /** The IPTC digital source type in the XMP metadata. */
  digitalSourceType?: string;
  /** For `bg_remove`: how sure the model is about what belongs to the subject. */
  confidence?: number;
}

export interface AppliedShadow {
  opacity: number;
  blurPixels: number;
  offsetXPixels: number;
  offsetYPixels: number;
}

export interface Attempt {
  number: number;
  startedAt: string;
  durationMs: number;
  /** Null when there was no response. */
  responseStatus: number | null;
  /** The first 4 kB of it. */
  responseBody: string | null;
  /** Why there was no response, or only part of one. */
  error: string | null;
}

export interface Batch {
  id: string;
  /** False for a batch of test mode. */
  livemode: boolean;
  /** `completed`: every item has ended; `counts` shows the outcomes. `canceled`: it was canceled, and every item has ended. Both are final until a retry. */
  status: 'queued' | 'processing' | 'completed' | 'canceled';
  counts: BatchCounts;
  /** How many of the items have ended, rounded down. */
  percent: number;
  /** The first operation of every job. */
  operation: string;
  /** Level of the first operation. */
  level: 'low' | 'medium' | 'high';
  /** The preset that the request named. Only when it named one. */
  preset?: string;
  /** Is called when every item has ended. Only when the request named one. */
  callbackUrl?: string;
  /** Copied to every job of the batch. */
  metadata: Record<string, string>;
  createdAt: string;
  /** When the last item ended; null while some have not. */
  completedAt: string | null;
}

export interface BatchCounts {
  /** All items of the batch. */
  total: number;
  queued: number;
  processing: number;
  completed: number;
  /** Without canceled items. */
  failed: number;
  canceled: number;
}

export interface BatchDetail {
  id: string;
  /** False for a batch of test mode. */
  livemode: boolean;
  /** `completed`: every item has ended; `counts` shows the outcomes. `canceled`: it was canceled, and every item has ended. Both are final until a retry. */
  status: 'queued' | 'processing' | 'completed' | 'canceled';
  counts: BatchCounts;
  /** How many of the items have ended, rounded down. */
  percent: number;
  /** The first operation of every job. */
  operation: string;
  /** Level of the first operation. */
  level: 'low' | 'medium' | 'high';
  /** The preset that the request named. Only when it named one. */
  preset?: string;
  /** Is called when every item has ended. Only when the request named one. */
  callbackUrl?: string;
  /** Copied to every job of the batch. */
  metadata: Record<string, string>;
  createdAt: string;
  /** When the last item ended; null while some have not. */
  completedAt: string | null;
  /** The first 100 failed items, in order, without canceled ones. `GET …/jobs?status=failed` has all of them. */
  failures: Array<BatchFailure>;
}

export interface BatchDryRun {
  dryRun: true;
  /** The first operation of every job. */
  operation: string;
  /** Level of the first operation. */
  level: 'low' | 'medium' | 'high';
  /** Only when the request named a preset. */
  preset?: string;
  /** Jobs that would be created. */
  total: number;
  /** Enhancements that they would take from the plan. */
  cost: number;
  /** Jobs that would be completed at once with the result of an equal earlier job. They cost nothing. */
  cached: number;
  /** From creation to the end of the last item, with all workers that serve now. An estimate. Null while no worker serves. */
  estimatedSeconds: number | null;
  /** The items that would get no job. Empty unless `onQuota` is `partial`. */
  skipped: Array<SkippedItem>;
  quota: DryRunQuota;
}

export interface BatchFailure {
  /** Position in `sourceUrls`, from 0. */
  index: number;
  jobId: string;
  sourceUrl: string;
  error: JobError;
}

export interface BatchList {
  data: Array<Batch>;
  hasMore: boolean;
  nextCursor: string | null;
}

export interface BatchWithSkipped {
  id: string;
  /** False for a batch of test mode. */
  livemode: boolean;
  /** `completed`: every item has ended; `counts` shows the outcomes. `canceled`: it was canceled, and every item has ended. Both are final until a retry. */
  status: 'queued' | 'processing' | 'completed' | 'canceled';
  counts: BatchCounts;
  /** How many of the items have ended, rounded down. */
  percent: number;
  /** The first operation of every job. */
  operation: string;
  /** Level of the first operation. */
  level: 'low' | 'medium' | 'high';
  /** The preset that the request named. Only when it named one. */
  preset?: string;
  /** Is called when every item has ended. Only when the request named one. */
  callbackUrl?: string;
  /** Copied to every job of the batch. */
  metadata: Record<string, string>;
  createdAt: string;
  /** When the last item ended; null while some have not. */
  completedAt: string | null;
  /** The items for which no job was created. Empty unless `onQuota` is `partial`. */
  skipped: Array<SkippedItem>;
}

export interface CallbackSecret {
  /** When the account got its first callback secret; null before that. */
  createdAt: string | null;
  /** Until when a replaced secret signs beside the one in force. */
  previousSecretExpiresAt: string | null;
}

export interface CreateBatch {
  level?: 'low' | 'medium' | 'high';
  /** In place of the strength of the level. Only for operations whose levels differ in strength: see `strengths` of `GET /api/ai/operations`. */
  strength?: number;
  /** Only for operations that enlarge: chooses the level by the factor of its network, for example 2 or 4. A `level` beside it must have the same factor. */
  scale?: number;
  /** Only for operations that enlarge: the exact width of the result in pixels. The network enlarges first, then the result is resampled down (Lanczos). Without `level` and `scale`, the size chooses the network; a size beyond it is refused. */
  width?: number;
  /** As `width`. */
  height?: number;
  /** With `width` and `height`: `inside` keeps the aspect ratio within them, `cover` crops at the center, `fill` stretches. */
  fit?: 'inside' | 'cover' | 'fill';
  /** Pins the version of the model: the operation and a version number, as in `model.version` of `GET /api/ai/operations`. Refused when no worker serves it; no other version runs the job. Without it, the version that serves. */
  model?: string;
  /** Only for operations that remove the background: an upload of the account, a PNG that corrects the cutout. White keeps a pixel, black erases it, and mid-gray (128) or transparency leaves it to the model; values between do so in part. It is scaled to the image that the operation reads, whose proportions it must have. */
  mask?: {
    sourceUrl?: string;
  };
  /** One of `smooth_skin`, `upscale`, `auto_enhance`, `bg_remove`, or another that `GET /api/ai/operations` lists. Required unless `operations` or `preset` is sent. */
  operation?: string;
  /** Several operations, each on the result of the one before, instead of `operation`. Each counts as one enhancement. Put `auto_enhance` before `bg_remove`, because it judges the light of the whole picture. The options of an operation, such as `level`, are beside it. */
  operations?: Array<EnhancementStep>;
  /** The name of a preset, instead of `operation`: the job does what the preset says now. An `output` in the request replaces the `output` of the preset. */
  preset?: string;
  output?: Output;
  /** At most 20 key-value pairs of strings, returned with the job. Keys have 1 to 40 characters, values at most 500. */
  metadata?: Record<string, string>;
  /** Is called like a webhook when the job has completed or failed, or once when every item of the batch has ended; signed with the callback secret of the account. `https`, reachable from the public internet. */
  callbackUrl?: string;
  /** A job that has not ended by then is canceled and costs nothing: `60s`, `5m`, `1h30m`, or seconds. From 5 seconds to 7 days. */
  cancelAfter?: string;
  /** Seconds that the result is kept. Default, and the most: as long as the service keeps results. */
  expiresIn?: number;
  /** `deliver`: the images of result and source are erased once all bytes of the result were sent to a reader, and at the latest when the result expires or the job is deleted. The source of a failed job is erased when its result would have expired. */
  retention?: 'deliver';
  /** `true`: a job that is equal to an earlier one of the account (bytes of the source, operation, options, output, model files) is completed at once with a copy of its result, and costs no enhancement. `false`: it is enhanced again. In a batch, this applies to each item. Default: the setting of the account, which is off unless the operator has turned it on. */
  cache?: boolean;
  /** Returns 200 with what the request would cost and how long it would take and, for a job, what its result would be. Nothing is created or charged, and an `Idempotency-Key` is ignored. Invalid requests are rejected as usual. */
  dryRun?: boolean;
  /** The `url`s of uploads of your account, one for each item. Duplicates are allowed. */
  sourceUrls: Array<string>;
  /** What to do when the monthly enhancements do not suffice for all items. `all`: refuse the batch. `partial`: create as many jobs as fit, in order, and name the others in `skipped`. */
  onQuota?: 'all' | 'partial';
}

export interface CreateDirectUpload {
  /** Size of the file, at most 20 MB. */
  bytes: number;
  /** SHA-256 of the file, hex. The upload is completed only with these bytes. */
  sha256?: string;
  /** Name of the file, for the dashboard. */
  fileName?: string;
}

export interface CreateEndpoint {
  /** Where events are sent: `https`, reachable from the public internet, at most 2,048 characters. */
  url: string;
  /** The event types that it receives. `["*"]`: all current and future types, including aliases, except types that are reserved for operators. */
  events?: Array<
    | '*'
    | 'enhancement.queued'
    | 'enhancement.completed'
    | 'enhancement.failed'
    | 'image.uploaded'
    | 'quota.exceeded'
    | 'ping'
    | 'job.completed'
    | 'image.completed'
    | 'upload.finished'
    | 'batch.completed'
    | 'batch.item.failed'
    | 'plan.requested'
    | 'plan.changed'
    | 'usage.recorded'
  >;
  description?: string | null;
  /** At most 20 key-value pairs of strings, returned with the endpoint. */
  metadata?: Record<string, string>;
}

export interface CreateJob {
  level?: 'low' | 'medium' | 'high';
  /** In place of the strength of the level. Only for operations whose levels differ in strength: see `strengths` of `GET /api/ai/operations`. */
  strength?: number;
  /** Only for operations that enlarge: chooses the level by the factor of its network, for example 2 or 4. A `level` beside it must have the same factor. */
  scale?: number;
  /** Only for operations that enlarge: the exact width of the result in pixels. The network enlarges first, then the result is resampled down (Lanczos). Without `level` and `scale`, the size chooses the network; a size beyond it is refused. */
  width?: number;
  /** As `width`. */
  height?: number;
  /** With `width` and `height`: `inside` keeps the aspect ratio within them, `cover` crops at the center, `fill` stretches. */
  fit?: 'inside' | 'cover' | 'fill';
  /** Pins the version of the model: the operation and a version number, as in `model.version` of `GET /api/ai/operations`. Refused when no worker serves it; no other version runs the job. Without it, the version that serves. */
  model?: string;
  /** Only for operations that remove the background: an upload of the account, a PNG that corrects the cutout. White keeps a pixel, black erases it, and mid-gray (128) or transparency leaves it to the model; values between do so in part. It is scaled to the image that the operation reads, whose proportions it must have. */
  mask?: {
    sourceUrl?: string;
  };
  /** One of `smooth_skin`, `upscale`, `auto_enhance`, `bg_remove`, or another that `GET /api/ai/operations` lists. Required unless `operations` or `preset` is sent. */
  operation?: string;
  /** Several operations, each on the result of the one before, instead of `operation`. Each counts as one enhancement. Put `auto_enhance` before `bg_remove`, because it judges the light of the whole picture. The options of an operation, such as `level`, are beside it. */
  operations?: Array<EnhancementStep>;
  /** The name of a preset, instead of `operation`: the job does what the preset says now. An `output` in the request replaces the `output` of the preset. */
  preset?: string;
  output?: Output;
  /** At most 20 key-value pairs of strings, returned with the job. Keys have 1 to 40 characters, values at most 500. */
  metadata?: Record<string, string>;
  /** Is called like a webhook when the job has completed or failed, or once when every item of the batch has ended; signed with the callback secret of the account. `https`, reachable from the public internet. */
  callbackUrl?: string;
  /** A job that has not ended by then is canceled and costs nothing: `60s`, `5m`, `1h30m`, or seconds. From 5 seconds to 7 days. */
  cancelAfter?: string;
  /** Seconds that the result is kept. Default, and the most: as long as the service keeps results. */
  expiresIn?: number;
  /** `deliver`: the images of result and source are erased once all bytes of the result were sent to a reader, and at the latest when the result expires or the job is deleted. The source of a failed job is erased when its result would have expired. */
  retention?: 'deliver';
  /** `true`: a job that is equal to an earlier one of the account (bytes of the source, operation, options, output, model files) is completed at once with a copy of its result, and costs no enhancement. `false`: it is enhanced again. In a batch, this applies to each item. Default: the setting of the account, which is off unless the operator has turned it on. */
  cache?: boolean;
  /** Returns 200 with what the request would cost and how long it would take and, for a job, what its result would be. Nothing is created or charged, and an `Idempotency-Key` is ignored. Invalid requests are rejected as usual. */
  dryRun?: boolean;
  /** The `url` of an upload of your account. */
  sourceUrl: string;
}

export interface Delivery {
  id: string;
  eventId: string;
  eventType:
    | 'enhancement.queued'
    | 'enhancement.completed'
    | 'enhancement.failed'
    | 'image.uploaded'
    | 'quota.exceeded'
    | 'ping'
    | 'job.completed'
    | 'image.completed'
    | 'upload.finished'
    | 'batch.completed'
    | 'batch.item.failed'
    | 'plan.requested'
    | 'plan.changed'
    | 'usage.recorded';
  endpointId: string;
  /** Where the latest attempt went, or the next goes. */
  url: string;
  status: 'pending' | 'succeeded' | 'failed';
  attemptCount: number;
  /** Null unless pending. */
  nextAttemptAt: string | null;
  createdAt: string;
  deliveredAt: string | null;
  /** Oldest first. */
  attempts: Array<Attempt>;
}

export interface DeliveryList {
  data: Array<Delivery>;
  hasMore: boolean;
  nextCursor: string | null;
}

export interface DirectUpload {
  id: string;
  /** How the file is sent to `uploadUrl`. */
  method: 'PUT';
  /** URL at the object store. Anyone who has it can send the file until it expires. */
  uploadUrl: string;
  /** Headers that the request must have. */
  headers: Record<string, string>;
  /** Complete the upload before this time. */
  expiresAt: string;
}

export interface DryRun {
  dryRun: true;
  operation: string;
  level: 'low' | 'medium' | 'high';
  /** With all defaults resolved. */
  output: JobOutput;
  /** Enhancements that the job would take from the plan. */
  cost: number;
  /** Only when the job would get the result of an equal one. */
  cached?: true;
  /** From creation to completion: waiting behind other jobs, and the work itself at its recent speed. An estimate. Null while no worker serves. */
  estimatedSeconds: number | null;
  /** With `output.crop`, the largest result that is possible. */
  result: DryRunResult;
  quota: DryRunQuota;
}

export interface DryRunQuota {
  /** Enhancements that remain this month, before the cost of this job. */
  remaining: number;
}

export interface DryRunResult {
  format: 'jpeg' | 'png' | 'webp' | 'avif';
  /** Pixels. */
  width: number;
  /** Pixels. */
  height: number;
}

export interface Endpoint {
  id: string;
  url: string;
  events: Array<
    | '*'
    | 'enhancement.queued'
    | 'enhancement.completed'
    | 'enhancement.failed'
    | 'image.uploaded'
    | 'quota.exceeded'
    | 'ping'
    | 'job.completed'
    | 'image.completed'
    | 'upload.finished'
    | 'batch.completed'
    | 'batch.item.failed'
    | 'plan.requested'
    | 'plan.changed'
    | 'usage.recorded'
  >;
  description: string | null;
  metadata: Record<string, string>;
  enabled: boolean;
  /** Null while it is enabled. One of `manual`, `gone`, `failing`: you disabled it; it responded with 410; every delivery failed for days. */
  disabledReason: string | null;
  /** The first failure since the last success. */
  failingSince: string | null;
  lastFailureAt: string | null;
  /** Until when a replaced secret signs beside the one in force. */
  previousSecretExpiresAt: string | null;
  createdAt: string;
  updatedAt: string;
}

export interface EndpointList {
  data: Array<Endpoint>;
  hasMore: boolean;
  nextCursor: string | null;
}

export interface EndpointWithSecret {
  id: string;
  url: string;
  events: Array<
    | '*'
    | 'enhancement.queued'
    | 'enhancement.completed'
    | 'enhancement.failed'
    | 'image.uploaded'
    | 'quota.exceeded'
    | 'ping'
    | 'job.completed'
    | 'image.completed'
    | 'upload.finished'
    | 'batch.completed'
    | 'batch.item.failed'
    | 'plan.requested'
    | 'plan.changed'
    | 'usage.recorded'
  >;
  description: string | null;
  metadata: Record<string, string>;
  enabled: boolean;
  /** Null while it is enabled. One of `manual`, `gone`, `failing`: you disabled it; it responded with 410; every delivery failed for days. */
  disabledReason: string | null;
  /** The first failure since the last success. */
  failingSince: string | null;
  lastFailureAt: string | null;
  /** Until when a replaced secret signs beside the one in force. */
  previousSecretExpiresAt: string | null;
  createdAt: string;
  updatedAt: string;
  /** Signs every delivery. Shown only here. */
  secret: string;
}

export interface EnhancementStep {
  level?: 'low' | 'medium' | 'high';
  /** In place of the strength of the level. Only for operations whose levels differ in strength: see `strengths` of `GET /api/ai/operations`. */
  strength?: number;
  /** Only for operations that enlarge: chooses the level by the factor of its network, for example 2 or 4. A `level` beside it must have the same factor. */
  scale?: number;
  /** Only for operations that enlarge: the exact width of the result in pixels. The network enlarges first, then the result is resampled down (Lanczos). Without `level` and `scale`, the size chooses the network; a size beyond it is refused. */
  width?: number;
  /** As `width`. */
  height?: number;
  /** With `width` and `height`: `inside` keeps the aspect ratio within them, `cover` crops at the center, `fill` stretches. */
  fit?: 'inside' | 'cover' | 'fill';
  /** Pins the version of the model: the operation and a version number, as in `model.version` of `GET /api/ai/operations`. Refused when no worker serves it; no other version runs the job. Without it, the version that serves. */
  model?: string;
  /** Only for operations that remove the background: an upload of the account, a PNG that corrects the cutout. White keeps a pixel, black erases it, and mid-gray (128) or transparency leaves it to the model; values between do so in part. It is scaled to the image that the operation reads, whose proportions it must have. */
  mask?: {
    sourceUrl?: string;
  };
  /** One of `smooth_skin`, `upscale`, `auto_enhance`, `bg_remove`, or another that `GET /api/ai/operations` lists. */
  operation: string;
}

export interface EnhancementsUsage {
  /** Enhancements a calendar month (UTC), shared by all keys. */
  limit: number;
  /** Completed and still running jobs of this month. */
  used: number;
  remaining: number;
  /** When the next month begins. */
  resetsAt: string;
}

export interface EventType {
  type:
    | 'enhancement.queued'
    | 'enhancement.completed'
    | 'enhancement.failed'
    | 'image.uploaded'
    | 'quota.exceeded'
    | 'ping'
    | 'job.completed'
    | 'image.completed'
    | 'upload.finished'
    | 'batch.completed'
    | 'batch.item.failed'
    | 'plan.requested'
    | 'plan.changed'
    | 'usage.recorded';
  description: string;
  /** The type that it is sent together with; null if the type is not an alias. */
  aliasOf: string | null;
  /** JSON Schema (2020-12) of the body. */
  schema: Record<string, unknown>;
  /** A body. */
  example: Record<string, unknown>;
}

export interface EventTypeList {
  data: Array<EventType>;
}

export interface Job {
  id: string;
  /** False for a job of test mode. */
  livemode: boolean;
  /** `completed` and `failed` are final. */
  status: 'queued' | 'processing' | 'completed' | 'failed';
  /** The first of `operations`. */
  operation: string;
  /** Level of the first of `operations`. */
  level: 'low' | 'medium' | 'high';
  /** Every operation in order, each with its model and time once the job is completed. */
  operations: Array<JobOperation>;
  /** The preset that the request named, as it was at that time: `operations` says what the job does. Only when it named one. */
  preset?: string;
  sourceUrl: string;
  /** Only when completed. Each read returns a newly signed URL. */
  resultUrl?: string;
  /** Only when completed. */
  result?: JobResult;
  error: JobError | null;
  output: JobOutput;
  progress: number;
  attempts: number;
  model: JobModel | null;
  /** Only when the job got the result of an earlier, equal one. It cost no enhancement; `model` and `device` are those that made the result. */
  cached?: true;
  /** Is called when the job has ended. Only when the request named one. */
  callbackUrl?: string;
  /** When the job is canceled if it has not ended. Only when the request set `cancelAfter`. */
  cancelAt?: string;
  /** `deliver`: the pixels of result and source are erased once the result was sent. */
  retention?: 'deliver';
  device: string | null;
  /** The lowest precision that its networks computed with. Missing before the job has completed, and when an inference server ran all of them. */
  precision?: 'float32' | 'float16' | 'int8';
  timings: JobTimings | null;
  metadata: Record<string, string>;
  /** The batch that the job belongs to. Only for jobs of a batch. */
  batchId?: string;
  /** Position in the `sourceUrls` of the batch, from 0. Only for jobs of a batch. */
  batchIndex?: number;
  createdAt: string;
  startedAt: string | null;
  completedAt: string | null;
}

export interface JobCrop {
  /** May be negative: the result reaches beyond the picture. */
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface JobError {
  code:
    | 'malformed_json'
    | 'invalid_request'
    | 'invalid_cursor'
    | 'invalid_multipart'
    | 'invalid_source_url'
    | 'content_digest_mismatch'
    | 'unauthorized'
    | 'insufficient_scope'
    | 'address_not_allowed'
    | 'account_suspended'
    | 'quota_exceeded'
    | 'feature_disabled'
    | 'not_found'
    | 'preset_not_found'
    | 'method_not_allowed'
    | 'upload_timeout'
    | 'idempotency_in_progress'
    | 'upload_incomplete'
    | 'job_already_finished'
    | 'batch_already_finished'
    | 'batch_not_finished'
    | 'nothing_to_retry'
    | 'preset_read_only'
    | 'preset_limit_reached'
    | 'endpoint_limit_reached'
    | 'endpoint_disabled'
    | 'gone'
    | 'payload_too_large'
    | 'unsupported_media_type'
    | 'hdr_image'
    | 'range_not_satisfiable'
    | 'undecodable_image'
    | 'animated_image'
    | 'too_many_pixels'
    | 'url_fetch_failed'
    | 'idempotency_mismatch'
    | 'rate_limited'
    | 'pixel_rate_limited'
    | 'too_many_uploads'
    | 'internal_error'
    | 'service_unavailable'
    | 'canceled'
    | 'no_subject_found'
    | 'result_too_large'
    | 'worker_lost'
    | 'processing_failed'
    | 'not_signed_in'
    | 'invalid_credentials'
    | 'link_not_valid'
    | 'link_for_other_user'
    | 'email_taken'
    | 'sign_in_expired'
    | 'insufficient_role'
    | 'csrf_refused'
    | 'sign_up_closed'
    | 'wrong_password'
    | 'wrong_code'
    | 'passkey_refused'
    | 'passkey_limit_reached'
    | 'key_limit_reached'
    | 'comparison_limit_reached'
    | 'share_link_limit_reached'
    | 'primary_owner'
    | 'already_member'
    | 'member_limit_reached'
    | 'organization_limit_reached'
    | 'owns_organizations'
    | 'plan_request_open'
    | 'plan_request_closed'
    | 'invitation_pending'
    | 'invitation_limit_reached'
    | 'invitation_for_other_user'
    | 'invitation_used'
    | 'invitation_revoked'
    | 'invitation_expired'
    | 'read_only_session'
    | 'email_not_verified'
    | 'own_account'
    | 'worker_gone'
    | 'only_sign_in'
    | 'two_factor_enabled'
    | 'two_factor_not_set_up'
    | 'version_unavailable'
    | 'canary_changed'
    | 'shadow_changed'
    | 'too_many_attempts';
  message: string;
  /** Whether the same job may succeed when it is created again. */
  retryable: boolean;
}

export interface JobList {
  data: Array<Job>;
  hasMore: boolean;
  nextCursor: string | null;
}

export interface JobMask {
  sourceUrl: string;
}

export interface JobModel {
  name: string;
  version: number;
  sha256: string;
}

export interface JobOperation {
  operation: string;
  level: 'low' | 'medium' | 'high';
  /** If it was chosen in place of the strength of the level. */
  strength?: number;
  /** The exact size of its result, if one was chosen. */
  width?: number;
  height?: number;
  fit?: 'inside' | 'cover' | 'fill';
  /** What corrected its cutout, if a mask was sent. */
  mask?: JobMask;
  model: JobModel | null;
  timings: JobOperationTimings | null;
}

export interface JobOperationTimings {
  inferenceMs: number;
}

export interface JobOutput {
  format: 'jpeg' | 'png' | 'webp' | 'avif';
  quality: number | null;
  /** A color, or the upload behind the subject. */
  background:
    | string
    | {
        sourceUrl: string;
        fit: 'cover' | 'contain';
      }
    | null;
  crop?: 'subject';
  padding?: number;
  shadow?: JobShadow;
  kind?: 'image' | 'mask' | 'edges';
  maxBytes?: number;
  metadata?: 'strip' | 'keep' | 'keep-no-gps';
  provenance?: boolean;
}

export interface JobResult {
  format: 'jpeg' | 'png' | 'webp' | 'avif';
  width: number;
  height: number;
  bytes: number;
  sha256: string;
  /** When the result pixels are erased. */
  expiresAt: string;
  /** What was done to the result besides its operations. Absent for results of earlier versions. */
  applied?: AppliedOutput;
}

export interface JobShadow {
  opacity: number;
  blur: number;
  offsetX: number;
  offsetY: number;
}

export interface JobTimings {
  queuedMs: number;
  decodeMs: number;
  inferenceMs: number;
  encodeMs: number;
  /** From creation to completion. */
  totalMs: number;
}

export interface NewCallbackSecret {
  /** When the account got its first callback secret; null before that. */
  createdAt: string | null;
  /** Until when a replaced secret signs beside the one in force. */
  previousSecretExpiresAt: string | null;
  /** Signs every callback of the account. Shown only here. */
  secret: string;
}

export interface Operation {
  operation: string;
  description: string;
  levels: Array<'low' | 'medium' | 'high'>;
  /** Result pixels per source pixel along each axis, by level. */
  scales: Record<string, number>;
  /** The result has an alpha channel whatever the source had. */
  producesAlpha: boolean;
  /** Strength of each level, from 0 to 1. Present if a job can ask for another `strength`. */
  strengths?: Record<string, number>;
  model: JobModel;
}

export interface OperationList {
  data: Array<Operation>;
}

export interface Output {
  /** Default: the source's format; `bg_remove`: `png`. A large AVIF (above 22 megapixels, with transparency 15) keeps its colors at half the resolution. */
  format?: 'jpeg' | 'png' | 'webp' | 'avif';
  /** Default (also for null): a value that suits the format. PNG is lossless. */
  quality?: number | null;
  /** Replaces transparency: a color like `#ffffff`, or another upload of the account (`cover` fills the result, `contain` shows the whole picture with transparent bars). Needed for `bg_remove` with `jpeg`. */
  background?:
    | string
    | {
        sourceUrl: string;
        fit?: 'cover' | 'contain';
      }
    | null;
  /** Cuts the result to the subject, with `padding`. A side on which the source cuts the subject off gets no padding. Needs a result with transparency. */
  crop?: 'subject';
  /** Space around the cropped subject, as a share of its longer side: 0.05 is 5%. */
  padding?: number;
  /** A soft black shadow of the subject. `blur` (a standard deviation) and the offsets are shares of the longer side of the subject. Needs a result with transparency. */
  shadow?:
    | boolean
    | {
        opacity?: number;
        blur?: number;
        offsetX?: number;
        offsetY?: number;
      };
  /** `mask`: the transparency as an 8-bit gray image, white where the subject is. `edges`: its outline as an 8-bit gray image. Both need a result with transparency. */
  kind?: 'image' | 'mask' | 'edges';
  /** The result takes at most this many bytes: its quality is lowered until it fits, down to 20. A job whose result does not fit fails with `result_too_large` and is not charged. PNG is lossless, so it fits or fails. */
  maxBytes?: number;
  /** Whether the result has its source's EXIF, XMP and (JPEG) IPTC metadata. Maker notes and embedded thumbnails are never kept; orientation and size are corrected. */
  metadata?: 'strip' | 'keep' | 'keep-no-gps';
  /** Writes the IPTC `DigitalSourceType` into the XMP metadata of the result, which says that a trained model has worked on it. */
  provenance?: boolean;
}

export interface Preset {
  name: string;
  /** Each on the result of the one before. */
  operations: Array<EnhancementStep>;
  /** Absent if the preset has none. */
  output?: Output;
  /** Built-in presets can't be changed or deleted. */
  isBuiltIn: boolean;
  /** Null for built-in presets. */
  createdAt: string | null;
  /** Null for built-in presets. */
  updatedAt: string | null;
}

export interface PresetList {
  /** The built-in presets, then those of the account by name. */
  presets: Array<Preset>;
}

/** RFC 9457 problem document. Some codes add members of their own. */
export interface Problem {
  /** URL of the documentation of this code. */
  type: string;
  title: string;
  status: number;
  /** What was wrong here, and what to do. */
  detail: string;
  code:
    | 'malformed_json'
    | 'invalid_request'
    | 'invalid_cursor'
    | 'invalid_multipart'
    | 'invalid_source_url'
    | 'content_digest_mismatch'
    | 'unauthorized'
    | 'insufficient_scope'
    | 'address_not_allowed'
    | 'account_suspended'
    | 'quota_exceeded'
    | 'feature_disabled'
    | 'not_found'
    | 'preset_not_found'
    | 'method_not_allowed'
    | 'upload_timeout'
    | 'idempotency_in_progress'
    | 'upload_incomplete'
    | 'job_already_finished'
    | 'batch_already_finished'
    | 'batch_not_finished'
    | 'nothing_to_retry'
    | 'preset_read_only'
    | 'preset_limit_reached'
    | 'endpoint_limit_reached'
    | 'endpoint_disabled'
    | 'gone'
    | 'payload_too_large'
    | 'unsupported_media_type'
    | 'hdr_image'
    | 'range_not_satisfiable'
    | 'undecodable_image'
    | 'animated_image'
    | 'too_many_pixels'
    | 'url_fetch_failed'
    | 'idempotency_mismatch'
    | 'rate_limited'
    | 'pixel_rate_limited'
    | 'too_many_uploads'
    | 'internal_error'
    | 'service_unavailable'
    | 'canceled'
    | 'no_subject_found'
    | 'result_too_large'
    | 'worker_lost'
    | 'processing_failed';
  requestId: string;
  errors: Array<{
    field: string;
    code: string;
    message: string;
  }>;
  /** With `quota_exceeded`. */
  quota?: 'enhancements' | 'storage';
  /** With `quota_exceeded`. */
  limit?: number;
  /** With `quota_exceeded`. */
  used?: number;
  /** With `quota_exceeded`: enhancements that the request needs. */
  needed?: number;
  /** With `quota_exceeded`: enhancements that are left. */
  remaining?: number;
  /** With `quota_exceeded`. */
  resetsAt?: string | null;
  /** With `quota_exceeded`: the next plan that has room. */
  upgrade?: {
    plan?: string;
    url?: string;
    note?: string;
  };
  /** For the error of a failed job: the id of the job. */
  jobId?: string;
  /** With `insufficient_scope`: any one of these is needed. */
  requiredScopes?: Array<'image:read' | 'image:write' | 'ai:enhance' | 'webhook:manage'>;
  /** With `insufficient_scope`: the scopes of the key. */
  keyScopes?: Array<'image:read' | 'image:write' | 'ai:enhance' | 'webhook:manage'>;
  /** For `/health/ready`: the result of each check. */
  checks?: Record<string, 'ok' | 'full' | 'unavailable'>;
  /** For `/health/ready`: whether files can be stored. */
  storage?: 'ok' | 'full' | 'unavailable';
  /** For `/health/ready`: free space for files. Uploads stop below `DISK_RESERVE_BYTES`. */
  freeBytes?: number;
}

export interface Recover {
  /** Sends again what happened from then on. */
  since: string;
}

export interface Recovered {
  /** Deliveries that are due again, or for the first time. */
  deliveries: number;
}

export interface RequestsPerMinute {
  /** Requests per minute of each key. */
  limit: number;
}

export interface RetryBatch {
  /** Whether canceled items are retried, too. */
  includeCanceled?: boolean;
  /** As for the creation of a batch. */
  onQuota?: 'all' | 'partial';
}

export interface RotateSecret {
  /** How long the secret that is replaced still signs, beside the new one. */
  overlapSeconds?: number;
}

export interface SavePreset {
  /** As `operations` of a job. */
  operations: Array<EnhancementStep>;
  /** As `output` of a job. */
  output?: Output;
}

export interface SkippedItem {
  /** Position in `sourceUrls`, from 0. */
  index: number;
  sourceUrl: string;
  /** Why: a code of the error table. */
  reason: string;
}

export interface Source {
  /** Use it as `sourceUrl`. Anyone who has it can read the file until `exp`. An API key of the account always can. */
  url: string;
  id: string;
  format: 'jpeg' | 'png' | 'webp' | 'avif';
  /** Pixels, after the EXIF orientation is applied. */
  width: number;
  height: number;
  bytes: number;
  /** SHA-256 of the uploaded bytes, hex. */
  sha256: string;
  createdAt: string;
}

export interface SourceList {
  data: Array<Source>;
  hasMore: boolean;
  nextCursor: string | null;
}

export interface StorageUsage {
  limitBytes: number;
  /** Bytes of kept sources and results. */
  usedBytes: number;
  remainingBytes: number;
}

export interface UpdateEndpoint {
  url?: string;
  events?: Array<
    | '*'
    | 'enhancement.queued'
    | 'enhancement.completed'
    | 'enhancement.failed'
    | 'image.uploaded'
    | 'quota.exceeded'
    | 'ping'
    | 'job.completed'
    | 'image.completed'
    | 'upload.finished'
    | 'batch.completed'
    | 'batch.item.failed'
    | 'plan.requested'
    | 'plan.changed'
    | 'usage.recorded'
  >;
  description?: string | null;
  /** Replaces all of it. */
  metadata?: Record<string, string>;
  /** `false`: the endpoint receives no events, and its pending deliveries fail. `true`: it receives events from now on; `recover` sends the ones that it missed. */
  enabled?: boolean;
}

export interface UploadFromUrl {
  /** URL of an image on a public `https` server. It is fetched once, with at most three redirects, within the time limit of the service. */
  url: string;
}

export interface Usage {
  plan: 'free' | 'personal' | 'business' | 'enterprise';
  /** The month the enhancements count in. */
  period: string;
  requestsPerMinute: RequestsPerMinute;
  enhancements: EnhancementsUsage;
  storage: StorageUsage;
}
