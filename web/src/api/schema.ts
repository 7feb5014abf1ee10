// Made from the OpenAPI document by `npm run docs:sync`. Do not edit.
/* eslint-disable max-lines -- one file for all that the document defines */

import type {
  Attempt,
  BatchCounts,
  BatchFailure,
  JobError,
  JobModel,
  JobOperation,
  JobOutput,
  JobResult,
  JobTimings,
} from 'image-enhancement-client';

export interface Account {
  id: string;
  /** Address of a user's account; the id of an organization. */
  email: string;
  /** The name of an organization, or the address of a user's account. */
  name: string;
  /** The primary owner. */
  ownerId: string;
  plan: 'free' | 'personal' | 'business' | 'enterprise';
  limits: PlanLimits;
  createdAt: string;
}

export interface AppCode {
  code: string;
}

export interface AuditActor {
  kind: 'person' | 'key' | 'operator' | 'system';
  keyId: string | null;
  /** Null for events of earlier versions and for events without a signed-in user. */
  userId: string | null;
  /** The email address of the user, if the account knows it from a membership or an invitation. */
  email: string | null;
}

export interface AuditEvent {
  id: string;
  createdAt: string;
  action: string;
  /** The action in words. */
  title: string;
  actor: AuditActor;
  targetId: string | null;
  /** The email address of the member whom the event is about. */
  targetEmail: string | null;
  address: string | null;
  userAgent: string | null;
  details: Record<string, unknown>;
}

export interface AuditEventList {
  data: Array<AuditEvent>;
  hasMore: boolean;
  nextCursor: string | null;
}

export interface BatchOperation {
  operation: string;
  level: 'low' | 'medium' | 'high';
}

export interface BatchSummary {
  stage: string;
  version: number;
  device: string;
  /** How many this is made of, at most as many as one worker keeps. */
  batches: number;
  /** Places that were taken, of all there were; 0 to 1, in tenths. */
  filled: number;
  runMsMedian: number;
}

export interface ChangeNotificationSettings {
  language?: 'en' | 'de';
  quota?: boolean;
  webhooks?: boolean;
}

export interface ChangePassword {
  currentPassword: string;
  newPassword: string;
}

export interface CreateInvitation {
  email: string;
  role: 'owner' | 'admin' | 'developer' | 'viewer' | 'billing';
}

export interface CreateKey {
  name: string;
  /** False for a key of test mode. */
  livemode?: boolean;
  scopes?: Array<'image:read' | 'image:write' | 'ai:enhance' | 'webhook:manage'>;
  expiresAt?: string | null;
  /** Null or empty: from anywhere. */
  allowedIps?: Array<string> | null;
}

export interface CreateOrganization {
  name: string;
}

export interface CreatePlanRequest {
  plan: 'personal' | 'business' | 'enterprise';
  /** For the operator. */
  note?: string | null;
}

export interface CreateShareLink {
  /** A completed job whose result is still stored. */
  jobId: string;
  /** Seconds. The link expires earlier if the result does. */
  expiresIn: 3600 | 86400 | 604800;
  /** Whether the page may also show the source, as it was uploaded. False if left out. */
  showsOriginal?: boolean;
}

export interface Credentials {
  email: string;
  password: string;
}

export interface DeleteAccount {
  password: string;
  confirmation: string;
}

export interface DeliveryRequest {
  headers: Record<string, string>;
  body: string;
}

export interface EmailChange {
  /** The new address. */
  email: string;
  /** When its link expires. */
  expiresAt: string;
}

export interface EmailChangeToken {
  /** The part of the link after `#`. */
  token: string;
}

export interface ExportLink {
  /** Path of the file. It works for five minutes, in this session. */
  path: string;
}

export interface Impersonation {
  startedAt: string;
  /** When it ends by itself. */
  expiresAt: string;
}

export interface Invitation {
  id: string;
  email: string;
  role: 'owner' | 'admin' | 'developer' | 'viewer' | 'billing';
  /** Address of the member who invited. */
  invitedBy: string;
  createdAt: string;
  expiresAt: string;
  isExpired: boolean;
  /** Whether the mail with the link was sent. Null when the service did not mail it. */
  mail: 'pending' | 'sent' | 'failed' | null;
}

export interface InvitationLink {
  id: string;
  email: string;
  role: 'owner' | 'admin' | 'developer' | 'viewer' | 'billing';
  /** Address of the member who invited. */
  invitedBy: string;
  createdAt: string;
  expiresAt: string;
  isExpired: boolean;
  /** Whether the mail with the link was sent. Null when the service did not mail it. */
  mail: 'pending' | 'sent' | 'failed' | null;
  /** The link for the invited person. It is shown only once. */
  url: string;
}

export interface InvitationList {
  data: Array<Invitation>;
}

export interface InvitationPreview {
  /** The name of an organization, or the address of a user's account. */
  organization: string;
  invitedBy: string;
  /** Address that the user who accepts must have. */
  email: string;
  role: 'owner' | 'admin' | 'developer' | 'viewer' | 'billing';
  expiresAt: string;
}

export interface InvitationToken {
  /** The part of the link after `#`. */
  token: string;
}

export interface IssuedKey {
  id: string;
  name: string;
  /** False for a key of test mode. */
  livemode: boolean;
  prefix: string;
  last4: string;
  scopes: Array<'image:read' | 'image:write' | 'ai:enhance' | 'webhook:manage'>;
  /** `replaced`: works beside its successor until it expires. */
  status: 'active' | 'replaced' | 'expired' | 'revoked';
  createdAt: string;
  lastUsedAt: string | null;
  expiresAt: string | null;
  revokedAt: string | null;
  replacedById: string | null;
  /** Networks (CIDR) from which it may be used; null: from anywhere. */
  allowedIps: Array<string> | null;
  /** The key itself. Shown only here. */
  key: string;
}

export interface JobKey {
  id: string;
  name: string;
}

export interface Key {
  id: string;
  name: string;
  /** False for a key of test mode. */
  livemode: boolean;
  prefix: string;
  last4: string;
  scopes: Array<'image:read' | 'image:write' | 'ai:enhance' | 'webhook:manage'>;
  /** `replaced`: works beside its successor until it expires. */
  status: 'active' | 'replaced' | 'expired' | 'revoked';
  createdAt: string;
  lastUsedAt: string | null;
  expiresAt: string | null;
  revokedAt: string | null;
  replacedById: string | null;
  /** Networks (CIDR) from which it may be used; null: from anywhere. */
  allowedIps: Array<string> | null;
}

export interface KeyHistory {
  /** Null for the dashboard itself. */
  id: string | null;
  /** The end of the id for those who may not list keys. */
  name: string;
  enhancements: Array<number>;
}

export interface KeyList {
  data: Array<Key>;
  /** Active live keys that the plan allows. */
  limit: number;
  /** Active live keys. */
  active: number;
  /** Active test keys that an account may have. */
  testLimit: number;
  /** Active test keys. */
  testActive: number;
  /** Keys of both modes that were revoked or have expired. */
  inactive: number;
  hasMore: boolean;
  nextCursor: string | null;
  /** Null while there is room. */
  upgrade: Upgrade | null;
}

export interface KeyRate {
  keyId: string;
  /** The end of the id for those who may not list keys. */
  name: string;
  /** Requests per minute. */
  limit: number;
  used: number;
  remaining: number;
  /** Unix seconds at which all are free again if nothing else is sent. */
  resetAt: number;
}

export interface KeyRateList {
  data: Array<KeyRate>;
}

export interface LatestPlanRequest {
  /** The newest request, whatever became of it. */
  request: PlanRequest | null;
}

export interface LinkedIdentity {
  id: string;
  /** URL of the provider. */
  issuer: string;
  /** How the provider calls the user. */
  subject: string;
  createdAt: string;
}

export interface LinkedIdentityList {
  data: Array<LinkedIdentity>;
}

export interface Member {
  userId: string;
  email: string;
  role: 'owner' | 'admin' | 'developer' | 'viewer' | 'billing';
  /** Always an owner, and cannot be removed. */
  isPrimaryOwner: boolean;
  joinedAt: string;
}

export interface MemberList {
  data: Array<Member>;
}

export interface Model {
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
  engine: string | null;
  license: string | null;
  trainedOn: string | null;
  /** Markdown of the model's own page; empty when it has none. */
  card: string;
  recent: RecentJobs;
  /** For the images of all accounts together. */
  lastBatches: Array<BatchSummary>;
}

export interface ModelHealth {
  /** `degraded`: a version is refused, a version serves although its folder is gone, or no worker serves at the moment. */
  status: 'ok' | 'degraded';
  /** What new jobs get. */
  operations: Array<ServedOperation>;
  /** Versions that are there and do not serve, and versions that serve from memory after their folder was removed. */
  refusals: Array<ModelRefusal>;
  /** Live workers. */
  workers: Array<ModelWorker>;
}

export interface ModelList {
  data: Array<Model>;
}

export interface ModelRefusal {
  operation: string;
  /** Name of the version's folder. */
  version: string;
  /** What is wrong, where, and what to do. */
  message: string;
}

export interface ModelWorker {
  id: string;
  /** What it runs on. */
  device: string;
  /** `draining`: it takes no new jobs. */
  state: 'serving' | 'draining';
  /** Every version it has in memory. */
  versions: Array<{
    operation: string;
    version: number;
  }>;
  startedAt: string;
  seenAt: string;
}

export interface NewPasskey {
  response: Record<string, unknown>;
  name: string;
}

export interface NewShareLink {
  id: string;
  jobId: string;
  /** The file name of the photo; null for photos without one and for deleted photos. */
  sourceName: string | null;
  /** Whether the page may also show the source. */
  showsOriginal: boolean;
  createdAt: string;
  expiresAt: string;
  /** The link. It is returned only once. */
  url: string;
}

export interface NotificationSettings {
  /** Language of the emails. */
  language: 'en' | 'de';
  /** When 80% and 100% of a monthly quota are used: as an owner or billing contact. */
  quota: boolean;
  /** When a webhook endpoint was disabled: as an owner, admin or developer. */
  webhooks: boolean;
}

export interface Organization {
  id: string;
  /** The name of an organization, or the address of a user's account. */
  name: string;
  role: 'owner' | 'admin' | 'developer' | 'viewer' | 'billing';
  isCurrent: boolean;
  /** Nobody can open a suspended organization. */
  isSuspended: boolean;
}

export interface OrganizationList {
  data: Array<Organization>;
}

export interface Passkey {
  id: string;
  name: string;
  /** The host name that the passkey is bound to. */
  host: string;
  createdAt: string;
  lastUsedAt: string | null;
}

export interface PasskeyList {
  data: Array<Passkey>;
}

export interface PasskeyOptions {
  options: Record<string, unknown>;
}

export interface PasskeyResponse {
  response: Record<string, unknown>;
}

export interface PasswordConfirmation {
  password: string;
}

export interface PendingEmailChange {
  change: EmailChange | null;
}

export interface PlanLimits {
  /** Requests per minute per key. */
  rpm: number;
  /** Enhancements per calendar month (UTC). */
  enhancements: number;
  storageBytes: number;
  /** Active API keys. */
  keys: number;
}

export interface PlanRequest {
  id: string;
  plan: 'personal' | 'business' | 'enterprise';
  note: string | null;
  /** Address of the user who asked. Null when that user was deleted. */
  requestedBy: string | null;
  createdAt: string;
  status: 'open' | 'approved' | 'declined' | 'canceled';
  closedAt: string | null;
  /** Why the operator declined it. */
  reason: string | null;
}

export interface RecentJobs {
  completed: number;
  failed: number;
  device: string | null;
  inferenceMsMedian: number | null;
  lastAt: string | null;
}

export interface RecoveryCodes {
  /** Shown once. Each code works once. */
  codes: Array<string>;
}

export interface RenamePasskey {
  name: string;
}

export interface RequestEmailChange {
  email: string;
  password: string;
}

export interface RequestPasswordReset {
  email: string;
}

export interface ResetPassword {
  /** The part of the link after `#`. */
  token: string;
  newPassword: string;
}

export interface RotateKey {
  /** How long the old key works beside the new one. */
  overlapSeconds?: number;
}

export interface RotatedKey {
  id: string;
  name: string;
  /** False for a key of test mode. */
  livemode: boolean;
  prefix: string;
  last4: string;
  scopes: Array<'image:read' | 'image:write' | 'ai:enhance' | 'webhook:manage'>;
  /** `replaced`: works beside its successor until it expires. */
  status: 'active' | 'replaced' | 'expired' | 'revoked';
  createdAt: string;
  lastUsedAt: string | null;
  expiresAt: string | null;
  revokedAt: string | null;
  replacedById: string | null;
  /** Networks (CIDR) from which it may be used; null: from anywhere. */
  allowedIps: Array<string> | null;
  /** The key itself. Shown only here. */
  key: string;
  replaces: Key;
}

export interface RunAgain {
  /** Corrects the cutout of the first operation that removes the background, in place of an earlier mask. */
  mask?: {
    sourceUrl?: string;
  };
}

export interface ServedModel {
  name: string;
  version: number;
  /** SHA-256 over the files of the version, lowercase hex. */
  sha256: string;
}

export interface ServedOperation {
  operation: string;
  model: ServedModel;
}

export interface Session {
  /** Null when nobody is signed in. */
  user: User | null;
  /** Null when nobody is signed in. */
  account: Account | null;
  /** The user's role in the current organization. */
  role: 'owner' | 'admin' | 'developer' | 'viewer' | 'billing' | null;
  /** Permissions of the role. */
  permissions: Array<
    | 'images:read'
    | 'images:write'
    | 'usage:read'
    | 'keys:read'
    | 'keys:write'
    | 'webhooks:read'
    | 'webhooks:write'
    | 'audit:read'
    | 'members:read'
    | 'members:write'
    | 'plan:request'
    | 'account:export'
    | 'account:delete'
  >;
  /** To be sent as `X-CSRF-Token` with every change. */
  csrfToken: string | null;
  expiresAt: string | null;
  /** Set while the user, an operator, is signed in as this account. */
  impersonation: Impersonation | null;
  signUp: 'open' | 'closed';
  /** Whether the service sends mail, such as a link to choose a new password. */
  sendsMail: boolean;
  /** Whether users can change nothing in an account until they have verified their email address. */
  requiresVerifiedEmail: boolean;
  /** Whether the sign-in waits for a code of the second factor. */
  secondFactorRequired: boolean;
  /** Name of the OpenID provider that users can sign in with; null without one. */
  oidcName: string | null;
  /** Maximum size of a photo, width × height. */
  maxInputPixels: number;
}

export interface SessionBatch {
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
  /** Every operation of each job, in order. */
  operations: Array<BatchOperation>;
}

export interface SessionBatchDetail {
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
  /** Every operation of each job, in order. */
  operations: Array<BatchOperation>;
}

export interface SessionBatchList {
  data: Array<SessionBatch>;
  hasMore: boolean;
  nextCursor: string | null;
}

export interface SessionDelivery {
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
  /** Absent once the event has been deleted with age. */
  request?: DeliveryRequest;
  /** Attempts in all if none succeeds: those already made and those left in the schedule. */
  maxAttempts: number;
}

export interface SessionDeliveryList {
  data: Array<SessionDelivery>;
  hasMore: boolean;
  nextCursor: string | null;
}

export interface SessionJob {
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
  /** A small WebP of the result, or, without one, of the source. Null once both are deleted. */
  thumbnailUrl: string | null;
  /** Which key created it; null for the dashboard itself. */
  key: JobKey | null;
  /** The file name of the photo; null for photos without one and for deleted photos. */
  sourceName: string | null;
}

export interface SessionJobList {
  data: Array<SessionJob>;
  hasMore: boolean;
  nextCursor: string | null;
}

export interface SessionSource {
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
  /** The file name of the upload; null when the client sent none. */
  name: string | null;
}

export interface SessionSourceList {
  data: Array<SessionSource>;
  hasMore: boolean;
  nextCursor: string | null;
}

export interface ShareLink {
  id: string;
  jobId: string;
  /** The file name of the photo; null for photos without one and for deleted photos. */
  sourceName: string | null;
  /** Whether the page may also show the source. */
  showsOriginal: boolean;
  createdAt: string;
  expiresAt: string;
}

export interface ShareLinkList {
  data: Array<ShareLink>;
}

export interface SignInCode {
  code: string;
}

export interface SignUp {
  email: string;
  password: string;
}

export interface SignedInDevice {
  id: string;
  isCurrent: boolean;
  /** IP address of the client at its last use. */
  address: string | null;
  /** User-Agent of the browser that signed in. */
  userAgent: string | null;
  createdAt: string;
  /** Time of the last use, to the minute. */
  lastSeenAt: string;
  expiresAt: string;
}

export interface SignedInDeviceList {
  data: Array<SignedInDevice>;
}

export interface TwoFactorSetup {
  /** The secret in base32, to type into an app. */
  secret: string;
  /** The `otpauth:` URL for the QR code. */
  uri: string;
}

export interface TwoFactorStatus {
  enabled: boolean;
  enabledAt: string | null;
  /** Recovery codes that were not used yet. */
  recoveryCodesLeft: number;
}

export interface UpdateKey {
  name?: string;
  scopes?: Array<'image:read' | 'image:write' | 'ai:enhance' | 'webhook:manage'>;
  expiresAt?: string | null;
  /** Null or empty: from anywhere. */
  allowedIps?: Array<string> | null;
}

export interface UpdateMember {
  role: 'owner' | 'admin' | 'developer' | 'viewer' | 'billing';
}

export interface Upgrade {
  /** Absent on Enterprise: its limits can be raised. */
  plan?: string;
  url: string;
  note?: string;
}

export interface UsageHistory {
  /** UTC, `YYYY-MM-DD`, today last. */
  days: Array<string>;
  /** What each day cost; failed and canceled jobs cost nothing. */
  enhancements: Array<number>;
  /** Bytes kept at the end of each day. */
  storageBytes: Array<number>;
  /** Keys that created any jobs, the busiest first. */
  keys: Array<KeyHistory>;
}

export interface User {
  id: string;
  email: string;
  /** Whether the user may use the operator console. */
  operator: boolean;
  /** Whether the user has verified this email address. */
  isEmailVerified: boolean;
  /** Whether a link to verify it was sent and still works. */
  hasVerificationLink: boolean;
  /** Whether the user has a password. Users of an OpenID provider need none. */
  hasPassword: boolean;
}

export interface VerifyEmail {
  /** The part of the link after `#`. */
  token: string;
}
