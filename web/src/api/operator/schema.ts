// Made from the OpenAPI document by `npm run docs:sync`. Do not edit.
/* eslint-disable max-lines -- one file for all that the document defines */

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

export interface AccountCounts {
  /** Active API keys, those of test mode included. */
  keys: number;
  /** Sessions of its user. */
  sessions: number;
  /** Members besides the primary owner. */
  members: number;
  endpoints: number;
  queuedJobs: number;
}

export interface AgreedLimits {
  rpm?: number;
  enhancements?: number;
  storageBytes?: number;
  keys?: number;
}

export interface ApprovePlan {
  /** Replaces all agreed limits. Null: those of the plan. Required for enterprise, where limits left out are those of business. */
  limits?: AgreedLimits | null;
}

export interface Canary {
  version: number;
  percent: number;
  /** By what the requests are chosen. Requests without a key are always chosen by account. */
  by: 'account' | 'key';
  /** When it started. */
  since: string;
  /** Whether new jobs get it: every worker of the operation has loaded it. */
  active: boolean;
  /** Ids of the workers that have not loaded it. */
  missingOn: Array<string>;
}

export interface CanaryFigures {
  /** The version that serves, and the canary. Jobs that were created since the canary started, and whose first operation is this one. */
  data: Array<VersionFigures>;
  /** Whether only the newest 2000 jobs of the service were counted. */
  isCapped: boolean;
}

export interface ChooseVersion {
  /** The version that is to serve. Null: the highest valid one. */
  version: number | null;
}

export interface CompareVersions {
  /** A version that a running worker has in its model repository. It need not be loaded. */
  a: number;
  /** Another version of the same operation. */
  b: number;
  level: 'low' | 'medium' | 'high';
  /** A photo that your account uploaded. */
  sourceUrl: string;
}

export interface ComparisonResults {
  /** The photo as both versions got it: shrunk so that the results are at most 2,048 pixels long, or, for versions that enlarge, its center at full size. */
  source: ComparisonSource;
  a: VersionResult;
  b: VersionResult;
  /** Null when a version refused the photo, or the results differ in size. */
  difference: ResultDifference | null;
}

export interface ComparisonSource {
  /** Pixels. */
  width: number;
  /** Pixels. */
  height: number;
}

export interface ConsoleAccount {
  id: string;
  /** Address of a user's account; the id of an organization. */
  email: string;
  /** The name of an organization, or the address of a user's account. */
  name: string;
  /** False for an organization, which has no address. */
  isEmailVerified: boolean;
  plan: 'free' | 'personal' | 'business' | 'enterprise';
  status: 'active' | 'suspended';
  /** Whether the user may use this console. */
  operator: boolean;
  /** Those of the plan, overridden by agreed ones. */
  limits: PlanLimits;
  /** Enhancements of the current month (UTC). */
  enhancementsUsed: number;
  storageUsedBytes: number;
  createdAt: string;
  /** The last request with a key or in the dashboard, as far as it is still known. */
  lastActiveAt: string | null;
}

export interface ConsoleAccountDetail {
  id: string;
  /** Address of a user's account; the id of an organization. */
  email: string;
  /** The name of an organization, or the address of a user's account. */
  name: string;
  /** False for an organization, which has no address. */
  isEmailVerified: boolean;
  plan: 'free' | 'personal' | 'business' | 'enterprise';
  status: 'active' | 'suspended';
  /** Whether the user may use this console. */
  operator: boolean;
  /** Those of the plan, overridden by agreed ones. */
  limits: PlanLimits;
  /** Enhancements of the current month (UTC). */
  enhancementsUsed: number;
  storageUsedBytes: number;
  createdAt: string;
  /** The last request with a key or in the dashboard, as far as it is still known. */
  lastActiveAt: string | null;
  /** Null when only the plan applies. */
  ownLimits: OwnLimits | null;
  /** What the plan allows without agreed limits. */
  planLimits: PlanLimits;
  suspension: Suspension | null;
  /** False for organizations, users who sign in with an OpenID provider, and accounts that use only keys. */
  hasPassword: boolean;
  /** Whether the user signs in with a code of an app, too. */
  hasTwoFactor: boolean;
  /** Users of the OpenID provider who sign in to it. */
  identities: Array<LinkedIdentity>;
  resultCache: boolean;
  /** Null for a user's account. */
  owner: PrimaryOwner | null;
  /** The organizations that the user owns. */
  organizations: Array<OwnedOrganization>;
  /** At most 300 of each are counted. */
  counts: AccountCounts;
}

export interface ConsoleAccountList {
  data: Array<ConsoleAccount>;
  hasMore: boolean;
  nextCursor: string | null;
}

export interface ConsoleDeleteAccount {
  /** The email address of the account, or the name of the organization, typed by the operator. */
  confirmation: string;
}

export interface ConsoleModels {
  /** By name. */
  data: Array<ConsoleOperation>;
}

export interface ConsoleOperation {
  operation: string;
  /** The version that new jobs get. */
  offered: number | null;
  /** The version that an operator chose. Null: the highest valid one serves. */
  chosen: number | null;
  /** `served`: new jobs get the chosen version. `pending`: a worker with it will take over. `refused`, `missing`: the version that served before serves instead, or the highest valid one. */
  choiceState: 'served' | 'pending' | 'refused' | 'missing' | null;
  /** A lower version that a running worker has: the one that served before, or else the next lower one. */
  rollBackTo: number | null;
  canary: Canary | null;
  shadow: Shadow | null;
  /** The highest version first. */
  versions: Array<ConsoleVersion>;
}

export interface ConsolePlanRequest {
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
  accountId: string;
  /** The name of an organization, or the address of a user's account. */
  accountName: string;
  currentPlan: 'free' | 'personal' | 'business' | 'enterprise';
}

export interface ConsolePlanRequestList {
  data: Array<ConsolePlanRequest>;
  hasMore: boolean;
  nextCursor: string | null;
}

export interface ConsoleVersion {
  /** Name of its folder, a whole number. */
  version: string;
  /** `serving`: new jobs get it. `canary`: a share of new jobs gets it. `shadow`: finished jobs are run on it once more. `loaded`: only jobs assigned to it run on it. `refused`: by at least one worker. `idle`: in no worker. */
  state: 'serving' | 'canary' | 'shadow' | 'loaded' | 'refused' | 'idle';
  /** Name of the model; null while no worker serves it. */
  model: string | null;
  /** Hash of its files. */
  sha256: string | null;
  /** Whether it can be chosen to serve: a running worker has it. */
  canServe: boolean;
  /** Ids of the running workers that have loaded it. */
  workers: Array<string>;
  /** Why workers refuse it, each reason once. */
  reasons: Array<string>;
}

export interface DatabaseFigures {
  sizeBytes: number;
  connections: number;
  maxConnections: number;
  version: string;
}

export interface DeclinePlan {
  /** Shown to the customer. */
  reason: string;
}

export interface DescribedSetting {
  /** The environment variable. */
  name: string;
  /** As it was written, or the default in words. Null for secrets. */
  value: string | null;
  /** `file`: the file that `<name>_FILE` names. `supervisor`: set by `npm start`. */
  source: 'default' | 'environment' | 'file' | 'supervisor';
  /** A password or key: only its source is shown. */
  isSecret: boolean;
  /** Markdown. */
  description: string;
}

export interface DiskFigures {
  /** Free space for objects. */
  freeBytes: number | null;
}

export interface EndCanary {
  /** The version of the canary. Rejected if a different version is now the canary. */
  version: number;
}

export interface FailedJob {
  id: string;
  accountId: string;
  /** Address of a user's account; the id of an organization. */
  email: string;
  /** The name of an organization, or the address of a user's account. */
  accountName: string;
  operation: string;
  code: string;
  message: string;
  attempts: number;
  createdAt: string;
  failedAt: string;
  /** Whether it can be run again, or why not. */
  rerun: 'possible' | 'done' | 'source_deleted' | 'account_suspended';
  /** The job that replaced it: run by an operator, or by a retry of its batch. */
  rerunAs: string | null;
}

export interface FailedJobList {
  data: Array<FailedJob>;
  hasMore: boolean;
  nextCursor: string | null;
}

export interface FailingEndpoint {
  id: string;
  /** The account that owns it, also for one of test mode. */
  accountId: string;
  /** Address of a user's account; the id of an organization. */
  email: string;
  /** The name of an organization, or the address of a user's account. */
  accountName: string;
  /** Scheme and host. The rest of the URL may hold a secret. */
  origin: string;
  enabled: boolean;
  disabledReason: 'manual' | 'gone' | 'failing' | null;
  /** The first failure since the last success. */
  failingSince: string;
  lastFailureAt: string | null;
  /** Deliveries that will be attempted again. */
  pending: number;
  /** Null when it is no longer known. */
  lastError: LastError | null;
}

export interface FailingEndpointList {
  data: Array<FailingEndpoint>;
  hasMore: boolean;
  nextCursor: string | null;
}

export interface FailureCount {
  code: string;
  jobs: number;
}

export interface FailureCounts {
  /** The most frequent code first. */
  data: Array<FailureCount>;
  /** Whether only the newest 2000 failed jobs were counted. */
  isCapped: boolean;
}

export interface GpuFigures {
  /** Index of the GPU on its machine. */
  gpu: string;
  name: string;
  memoryUsedBytes: number | null;
  memoryTotalBytes: number | null;
  /** 0–1. */
  utilization: number | null;
}

export interface Impersonate {
  /** For the audit log of the account, which its owner can read. */
  reason: string;
}

export interface Impersonation {
  startedAt: string;
  /** When it ends by itself. */
  expiresAt: string;
}

export interface LastError {
  at: string;
  /** HTTP status of the response; null without one. */
  responseStatus: number | null;
  /** Why there was no response. */
  error: string | null;
}

export interface LinkedIdentity {
  id: string;
  /** URL of the provider. */
  issuer: string;
  /** How the provider calls the user. */
  subject: string;
  createdAt: string;
}

export interface LoadHistory {
  span: '1h' | '24h' | '7d';
  /** Length of a period, seconds. */
  resolution: number;
  /** Oldest first. Periods in which no dispatcher ran are missing. */
  points: Array<LoadPoint>;
}

export interface LoadPoint {
  /** Start of the period. */
  at: string;
  jobsPerMinute: number;
  /** Failed jobs of the period. Canceled jobs are not counted. */
  failed: number;
  /** At most 19% too high. */
  p50Ms: number | null;
  /** At most 19% too high. */
  p99Ms: number | null;
  /** Waiting jobs, the peak of the period. */
  queued: number;
  oldestWaitSeconds: number;
  workers: number;
  /** 0–1, the mean of all GPUs. */
  gpuUtilization: number | null;
  gpuMemoryBytes: number | null;
  /** Due webhook deliveries, the peak of the period. */
  deliveriesDue: number;
}

export interface OperationLoad {
  operation: string;
  /** Waiting jobs. */
  queued: number;
  /** Wait of the oldest one; 0 if no jobs are waiting. */
  oldestWaitSeconds: number;
  /** Jobs that ended in the last five minutes. */
  ended: number;
  failed: number;
  p50Ms: number | null;
  p99Ms: number | null;
}

export interface OperatorAuditEvent {
  id: string;
  createdAt: string;
  /** Null for events of the installation. */
  accountId: string | null;
  /** Null also for deleted accounts. */
  accountEmail: string | null;
  action: string;
  /** The action in words. */
  title: string;
  /** `person`: in the dashboard. `operator`: in the console or by `npm run admin`. `system`: the service itself. */
  actorKind: 'person' | 'key' | 'operator' | 'system';
  /** The user, the API key, or the login name that ran `npm run admin`. */
  actorId: string | null;
  /** Email address of the user. */
  actorEmail: string | null;
  /** The changed object, such as the id of a key. */
  targetId: string | null;
  /** The current address of the user whom the event is about. */
  targetEmail: string | null;
  address: string | null;
  userAgent: string | null;
  details: Record<string, unknown>;
}

export interface OperatorAuditList {
  data: Array<OperatorAuditEvent>;
  hasMore: boolean;
  nextCursor: string | null;
}

export interface Overview {
  at: string;
  jobs: RecentLoad;
  /** Operations with jobs that are waiting or ended in the last five minutes. */
  operations: Array<OperationLoad>;
  /** Workers with a recent heartbeat. */
  workers: Array<WorkerFigures>;
  disk: DiskFigures;
  database: DatabaseFigures;
  webhooks: WebhookBacklog;
}

export interface OwnLimits {
  rpm?: number;
  enhancements?: number;
  storageBytes?: number;
  keys?: number;
}

export interface OwnedOrganization {
  id: string;
  name: string;
  status: 'active' | 'suspended';
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

export interface PrimaryOwner {
  id: string;
  email: string;
}

export interface RecentLoad {
  /** Jobs per minute, the mean of the last five minutes. */
  perMinute: number;
  /** Jobs that ended in the last five minutes. */
  ended: number;
  /** Failed ones of these jobs. Canceled jobs are not counted. */
  failed: number;
  /** Median time from the request to the result, milliseconds. */
  p50Ms: number | null;
  /** The 99th percentile of that time. */
  p99Ms: number | null;
}

export interface RefusedVersion {
  operation: string;
  /** Name of the folder of the version. */
  version: string;
  /** Why it is refused, and what to do. */
  message: string;
}

export interface Reloaded {
  /** Living workers, which look at their models now. */
  workers: number;
}

export interface Rerun {
  /** The new job, or the one that was run before. */
  jobId: string;
  /** False when the job had been run again before. */
  isNew: boolean;
}

export interface ResultDifference {
  /** `color`: mean absolute difference of R, G and B, percent of full scale. `matte`: 100 − IoU in percent, of the pixels whose alpha is at least ½. */
  measure: 'color' | 'matte';
  percent: number;
  /** For colors: PSNR, dB. Null for mattes, and for equal results. */
  psnrDb: number | null;
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

export interface SetCanary {
  version: number;
  percent: number;
  /** By what the requests are chosen. Requests without a key are always chosen by account. */
  by?: 'account' | 'key';
}

export interface SetPlan {
  plan: 'free' | 'personal' | 'business' | 'enterprise';
  /** Replaces all agreed limits. Null: those of the plan. Required for enterprise, where limits left out are those of business. */
  limits?: AgreedLimits | null;
}

export interface SetShadow {
  version: number;
  /** Share of the finished jobs of the operation. */
  percent: number;
}

export interface Setting {
  /** The environment variable. */
  name: string;
  /** As it was written, or the default in words. Null for secrets. */
  value: string | null;
  /** `file`: the file that `<name>_FILE` names. `supervisor`: set by `npm start`. */
  source: 'default' | 'environment' | 'file' | 'supervisor';
  /** A password or key: only its source is shown. */
  isSecret: boolean;
}

export interface Settings {
  /** Settings of the api process that responds, in the order of docs/configuration.md. */
  data: Array<DescribedSetting>;
  /** Unknown variables that look like misspelled ones. */
  warnings: Array<string>;
}

export interface Shadow {
  version: number;
  percent: number;
  /** When it started. */
  since: string;
  /** Ids of the workers that have loaded it. */
  loadedOn: Array<string>;
  /** Ids of the workers that have not loaded it. Their jobs are not compared. */
  missingOn: Array<string>;
}

export interface ShadowFigures {
  version: number;
  /** The version that its results are compared with. */
  serving: number;
  /** Jobs whose results were compared. */
  compared: number;
  /** Jobs that were not compared, because other jobs came, space was short, or the photo was deleted. */
  dropped: number;
  /** Jobs that the shadow failed and the other version did not. */
  failed: number;
  /** Workers that ended during a run of the shadow. */
  lost: number;
  /** Whether new runs are paused because too many workers ended. */
  isPaused: boolean;
  /** Why it failed the last time. */
  lastFailure: string | null;
  /** `color`: a difference is the mean absolute difference of R, G and B, in percent of full scale. `matte`: it is 100 − IoU in percent, of the pixels whose alpha is at least ½. Null before the first comparison. */
  measure: 'color' | 'matte' | null;
  /** Median difference, percent, within 5% of its value. */
  medianPercent: number | null;
  /** Largest difference, percent. */
  worstPercent: number | null;
  /** For colors: PSNR of the mean squared error of all jobs, dB. Null for equal results. */
  psnrDb: number | null;
  /** Inference time of the other version of a job, milliseconds, on average. */
  servingMs: number | null;
  /** Inference time of the shadow of a job, milliseconds, on average. */
  shadowMs: number | null;
  /** Inference time of the shadow per that of the other version. */
  timeRatio: number | null;
}

export interface SignedOut {
  /** Sessions that were ended. */
  sessions: number;
}

export interface StopShadow {
  /** The version of the shadow. Rejected if a different version is now the shadow. */
  version: number;
}

export interface Suspend {
  /** Shown to the customer. */
  reason: string;
  /** Also suspend the organizations that the user owns. */
  withOrganizations?: boolean;
}

export interface Suspension {
  at: string;
  /** As the customer reads it. */
  reason: string;
}

export interface SwitchedEndpoint {
  id: string;
  enabled: boolean;
}

export interface TemporaryPassword {
  password: string;
  /** When it stops working. */
  expiresAt: string;
}

export interface UnlinkIdentity {
  /** One of `identities` of the account. */
  identityId: string;
}

export interface UseImpersonationLink {
  /** The part of the link after `#`. */
  token: string;
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

export interface VersionComparison {
  id: string;
  operation: string;
  level: 'low' | 'medium' | 'high';
  a: number;
  b: number;
  status: 'queued' | 'processing' | 'completed' | 'failed';
  /** Null until it has completed. */
  results: ComparisonResults | null;
  /** Why it failed, in a sentence. */
  failure: string | null;
  createdAt: string;
  endedAt: string | null;
  /** When it is deleted, pictures included. */
  expiresAt: string;
}

export interface VersionComparisons {
  data: Array<VersionComparison>;
}

export interface VersionFigures {
  version: number;
  /** Jobs that ended, without canceled and cached ones. */
  jobs: number;
  failed: number;
  /** Inference time for each megapixel of the source, of completed jobs. */
  secondsPerMegapixel: number | null;
}

export interface VersionResult {
  /** Pixels. Null when the photo was refused. */
  width: number | null;
  /** Pixels. Null when the photo was refused. */
  height: number | null;
  /** Inference time, milliseconds: the fastest of up to three runs. */
  inferenceMs: number | null;
  /** Error code with which the version refused the photo, such as `no_subject_found`. */
  refusal: string | null;
}

export interface WebhookBacklog {
  /** Events whose deliveries have not been created yet. */
  events: number;
  /** Deliveries that will be attempted now or later. */
  pending: number;
  /** Deliveries that are due now. */
  due: number;
  oldestDueSeconds: number;
}

export interface Worker {
  id: string;
  host: string;
  pid: number;
  /** `draining`: finishes its jobs and takes no others. `drained`: has no jobs left. `gone`: no recent heartbeat. */
  state: 'serving' | 'draining' | 'drained' | 'gone';
  /** What an operator asked for. */
  wanted: 'serve' | 'drain' | 'restart';
  wantedAt: string | null;
  device: string;
  precision: string | null;
  /** Version of the service. */
  version: string | null;
  /** Whether `npm start` starts it again when it ends. Kubernetes and others do so as well. */
  supervised: boolean | null;
  /** What new jobs get. */
  operations: Array<WorkerOperation>;
  /** Earlier versions that it has loaded for jobs assigned to them. */
  earlierVersions: Array<string>;
  /** Versions that it refuses. */
  refusals: Array<RefusedVersion>;
  /** Jobs that it runs, as of its last heartbeat. */
  jobs: number | null;
  /** Jobs that it can run at the same time. */
  concurrency: number | null;
  /** Resident memory of the process. */
  memoryBytes: number | null;
  /** GPUs of the machine. */
  gpus: Array<GpuFigures>;
  /** Settings that are not the default. */
  settings: Array<Setting>;
  startedAt: string;
  /** The last heartbeat. */
  seenAt: string;
}

export interface WorkerFigures {
  id: string;
  host: string;
  device: string;
  state: 'serving' | 'draining';
  operations: Array<string>;
  /** Resident memory of the process; null until its first heartbeat. */
  memoryBytes: number | null;
  /** GPUs of the machine. */
  gpus: Array<GpuFigures>;
  startedAt: string;
  seenAt: string;
}

export interface WorkerList {
  /** The workers with a recent heartbeat, then those that went within the last hour. */
  data: Array<Worker>;
}

export interface WorkerLog {
  /** The last lines, oldest first. Each is one JSON object. */
  lines: Array<string>;
  /** When the worker sent them; null: never. */
  sentAt: string | null;
  /** Whether it sent them for this request. False: it did not respond. */
  current: boolean;
}

export interface WorkerOperation {
  operation: string;
  version: number;
  /** Name of the model. */
  model: string;
}
