import { DataSource, type DataSourceOptions, type MixedList } from 'typeorm';
import type { Config } from '../../config/env.js';
import type { Migration } from './migration.js';
import { SESSION_OPTIONS } from './session-options.js';
import { Initial1732000000000 } from './migrations/1732000000000-initial.js';
import { ModelWorkers1732300000000 } from './migrations/1732300000000-model-workers.js';
import { Webhooks1732100000000 } from './migrations/1732100000000-webhooks.js';
import { Accounts1732200000000 } from './migrations/1732200000000-accounts.js';
import { GrantedRequests1732050000000 } from './migrations/1732050000000-granted-requests.js';
import { JobChanges1732060000000 } from './migrations/1732060000000-job-changes.js';
import { LastBatches1732400000000 } from './migrations/1732400000000-last-batches.js';
import { WorkRates1732360000000 } from './migrations/1732360000000-work-rates.js';
import { FairTurns1732350000000 } from './migrations/1732350000000-fair-turns.js';
import { LiveSources1732710000000 } from './migrations/1732710000000-live-sources.js';
import { SourceAlpha1732700000000 } from './migrations/1732700000000-source-alpha.js';
import { JobGone1732500000000 } from './migrations/1732500000000-job-gone.js';
import { JobKinds1732600000000 } from './migrations/1732600000000-job-kinds.js';
import { AuditPrune1733320000000 } from './migrations/1733320000000-audit-prune.js';
import { AuditEvents1733210000000 } from './migrations/1733210000000-audit-events.js';
import { KeyAddresses1733200000000 } from './migrations/1733200000000-key-addresses.js';
import { JobMade1732810000000 } from './migrations/1732810000000-job-made.js';
import { ChosenEvents1733110000000 } from './migrations/1733110000000-chosen-events.js';
import { LeaseEnded1733220000000 } from './migrations/1733220000000-lease-ended.js';
import { ListIndexes1733100000000 } from './migrations/1733100000000-list-indexes.js';
import { MachineFaults1733000000000 } from './migrations/1733000000000-machine-faults.js';
import { Retention1733120000000 } from './migrations/1733120000000-retention.js';
import { ModelVerdicts1733397000000 } from './migrations/1733397000000-model-verdicts.js';
import { JobTerms1733492000000 } from './migrations/1733492000000-job-terms.js';
import { Callbacks1733491000000 } from './migrations/1733491000000-callbacks.js';
import { ResultCache1733490000000 } from './migrations/1733490000000-result-cache.js';
import { JobSteps1733401700000 } from './migrations/1733401700000-job-steps.js';
import { JobStepsIndex1733401710000 } from './migrations/1733401710000-job-steps-index.js';
import { BatchIndexes1733401810000 } from './migrations/1733401810000-batch-indexes.js';
import { Batches1733401800000 } from './migrations/1733401800000-batches.js';
import { ResultApplied1733495000000 } from './migrations/1733495000000-result-applied.js';
import { SessionDevices1733720002000 } from './migrations/1733720002000-session-devices.js';
import { ErasedMembers1733720003000 } from './migrations/1733720003000-erased-members.js';
import { Invitations1733730000000 } from './migrations/1733730000000-invitations.js';
import { ShareLinks1733780000000 } from './migrations/1733780000000-share-links.js';
import { Organizations1733730001000 } from './migrations/1733730001000-organizations.js';
import { ResultCopies1733790000000 } from './migrations/1733790000000-result-copies.js';
import { UsageOperations1733790001000 } from './migrations/1733790001000-usage-operations.js';
import { ModelChoices1733812000000 } from './migrations/1733812000000-model-choices.js';
import { ModelCanaries1733812001000 } from './migrations/1733812001000-model-canaries.js';
import { UsageOperationsBackfill1733790002000 } from './migrations/1733790002000-usage-operations-backfill.js';
import { FailedJobFilters1733800000000 } from './migrations/1733800000000-failed-job-filters.js';
import { InvitationMails1733805000000 } from './migrations/1733805000000-invitation-mails.js';
import { Notices1733813000000 } from './migrations/1733813000000-notices.js';
import { PlanRequests1733850000000 } from './migrations/1733850000000-plan-requests.js';
import { OperatorsIndex1733851000000 } from './migrations/1733851000000-operators-index.js';
import { UsageReports1733852000000 } from './migrations/1733852000000-usage-reports.js';
import { SessionsByAge1733853000000 } from './migrations/1733853000000-sessions-by-age.js';
import { OneQuotaNotice1733856000000 } from './migrations/1733856000000-one-quota-notice.js';
import { OidcSessions1733857000000 } from './migrations/1733857000000-oidc-sessions.js';
import { ModelShadows1733858001000 } from './migrations/1733858001000-model-shadows.js';
import { VersionComparisons1733858003000 } from './migrations/1733858003000-version-comparisons.js';
import { UsageDayLookups1733858004000 } from './migrations/1733858004000-usage-day-lookups.js';
import { JobsToldWhenEnqueued1733858005000 } from './migrations/1733858005000-jobs-told-when-enqueued.js';
import { ClaimsToldAfterCommit1733858006000 } from './migrations/1733858006000-claims-told-after-commit.js';
import { CancelReasons1733858007000 } from './migrations/1733858007000-cancel-reasons.js';
import { SourcesInUse1733858008000 } from './migrations/1733858008000-sources-in-use.js';
import { MailLimits1733859001000 } from './migrations/1733859001000-mail-limits.js';
import { AuditEraseBatches1733859002000 } from './migrations/1733859002000-audit-erase-batches.js';
import { FailedExpiry1733859003000 } from './migrations/1733859003000-failed-expiry.js';
import { AuditTimes1733859004000 } from './migrations/1733859004000-audit-times.js';
import { WorkerDepartures1733859005000 } from './migrations/1733859005000-worker-departures.js';
import { ClockTurns1733859006000 } from './migrations/1733859006000-clock-turns.js';
import { AuditFunctions1733859007000 } from './migrations/1733859007000-audit-functions.js';
import { EmailChanges1733859009000 } from './migrations/1733859009000-email-changes.js';
import { ImpersonationLinks1733858002000 } from './migrations/1733858002000-impersonation-links.js';
import { WorkerControl1733770000000 } from './migrations/1733770000000-worker-control.js';
import { Mails1733750000000 } from './migrations/1733750000000-mails.js';
import { PasswordResets1733750001000 } from './migrations/1733750001000-password-resets.js';
import { EmailVerification1733750002000 } from './migrations/1733750002000-email-verification.js';
import { TwoFactor1733740000000 } from './migrations/1733740000000-two-factor.js';
import { Passkeys1733740001000 } from './migrations/1733740001000-passkeys.js';
import { Oidc1733740002000 } from './migrations/1733740002000-oidc.js';
import { Memberships1733720001000 } from './migrations/1733720001000-memberships.js';
import { DirectUploads1733601002000 } from './migrations/1733601002000-direct-uploads.js';
import { Operators1733715000000 } from './migrations/1733715000000-operators.js';
import { JobsEnded1733715001000 } from './migrations/1733715001000-jobs-ended.js';
import { KeyModes1733500002000 } from './migrations/1733500002000-key-modes.js';
import { Presets1733501001000 } from './migrations/1733501001000-presets.js';
import { JobPrecision1733600008000 } from './migrations/1733600008000-job-precision.js';
import { SourceNames1733395000000 } from './migrations/1733395000000-source-names.js';
import { TraceParents1733393000000 } from './migrations/1733393000000-trace-parents.js';
import { UsageDays1733300000000 } from './migrations/1733300000000-usage-days.js';
import { UsageDaysBackfill1733310000000 } from './migrations/1733310000000-usage-days-backfill.js';
import { AuditListIndexes1733330000000 } from './migrations/1733330000000-audit-list-indexes.js';
import { Restores1733392000000 } from './migrations/1733392000000-restores.js';
import { SuspendedAccounts1733760000000 } from './migrations/1733760000000-suspended-accounts.js';
import { Impersonation1733760002000 } from './migrations/1733760002000-impersonation.js';
import { FailedJobs1733760003000 } from './migrations/1733760003000-failed-jobs.js';
import { FailingEndpoints1733760005000 } from './migrations/1733760005000-failing-endpoints.js';
import { AccountSearch1733760001000 } from './migrations/1733760001000-account-search.js';
import { SessionEnded1733010000000 } from './migrations/1733010000000-session-ended.js';

/** In chronological order. */
const MIGRATIONS: readonly (new () => Migration)[] = [
  Initial1732000000000,
  GrantedRequests1732050000000,
  JobChanges1732060000000,
  Webhooks1732100000000,
  Accounts1732200000000,
  ModelWorkers1732300000000,
  FairTurns1732350000000,
  WorkRates1732360000000,
  LastBatches1732400000000,
  JobGone1732500000000,
  JobKinds1732600000000,
  SourceAlpha1732700000000,
  LiveSources1732710000000,
  JobMade1732810000000,
  MachineFaults1733000000000,
  SessionEnded1733010000000,
  ListIndexes1733100000000,
  ChosenEvents1733110000000,
  Retention1733120000000,
  KeyAddresses1733200000000,
  AuditEvents1733210000000,
  LeaseEnded1733220000000,
  UsageDays1733300000000,
  UsageDaysBackfill1733310000000,
  AuditPrune1733320000000,
  AuditListIndexes1733330000000,
  Restores1733392000000,
  TraceParents1733393000000,
  SourceNames1733395000000,
  ModelVerdicts1733397000000,
  JobSteps1733401700000,
  JobStepsIndex1733401710000,
  Batches1733401800000,
  BatchIndexes1733401810000,
  ResultCache1733490000000,
  Callbacks1733491000000,
  JobTerms1733492000000,
  ResultApplied1733495000000,
  KeyModes1733500002000,
  Presets1733501001000,
  JobPrecision1733600008000,
  DirectUploads1733601002000,
  Operators1733715000000,
  JobsEnded1733715001000,
  Memberships1733720001000,
  SessionDevices1733720002000,
  ErasedMembers1733720003000,
  Invitations1733730000000,
  Organizations1733730001000,
  TwoFactor1733740000000,
  Passkeys1733740001000,
  Oidc1733740002000,
  Mails1733750000000,
  PasswordResets1733750001000,
  EmailVerification1733750002000,
  SuspendedAccounts1733760000000,
  AccountSearch1733760001000,
  Impersonation1733760002000,
  FailedJobs1733760003000,
  FailingEndpoints1733760005000,
  WorkerControl1733770000000,
  ShareLinks1733780000000,
  ResultCopies1733790000000,
  UsageOperations1733790001000,
  UsageOperationsBackfill1733790002000,
  FailedJobFilters1733800000000,
  InvitationMails1733805000000,
  ModelChoices1733812000000,
  ModelCanaries1733812001000,
  Notices1733813000000,
  PlanRequests1733850000000,
  OperatorsIndex1733851000000,
  UsageReports1733852000000,
  SessionsByAge1733853000000,
  OneQuotaNotice1733856000000,
  OidcSessions1733857000000,
  ModelShadows1733858001000,
  ImpersonationLinks1733858002000,
  VersionComparisons1733858003000,
  UsageDayLookups1733858004000,
  JobsToldWhenEnqueued1733858005000,
  ClaimsToldAfterCommit1733858006000,
  CancelReasons1733858007000,
  SourcesInUse1733858008000,
  MailLimits1733859001000,
  AuditEraseBatches1733859002000,
  FailedExpiry1733859003000,
  AuditTimes1733859004000,
  WorkerDepartures1733859005000,
  ClockTurns1733859006000,
  AuditFunctions1733859007000,
  EmailChanges1733859009000,
];

export const MIGRATION_NAMES: readonly string[] = MIGRATIONS.map(({ name }) => name);

export interface DataSourceSettings {
  readonly databaseUrl: string;
  readonly poolSize: number;
  /** Shown in `pg_stat_activity`, to identify the role of a connection. */
  readonly applicationName: string;
  readonly entities?: MixedList<new () => object>;
  /** For migrations: sets no limit for statements. The database role may still have one. */
  readonly unlimited?: boolean;
  readonly traits?: ConnectionTraits;
  /** Names of the migrations that this source knows. Default: all. */
  readonly migrations?: readonly string[];
}

/** What connections to this URL support. Default: everything. */
export interface ConnectionTraits {
  /** A pooler such as PgBouncer in transaction mode is in between: nothing may depend on the session. */
  readonly isPooled: boolean;
  readonly preparedStatements: boolean;
}

export const DIRECT: ConnectionTraits = { isPooled: false, preparedStatements: true };

/** The capabilities of `DATABASE_URL` and `DATABASE_READ_URL`. */
export function connectionTraits(
  config: Pick<Config, 'databaseUrl' | 'databaseDirectUrl' | 'databasePreparedStatements'>,
): ConnectionTraits {
  const { databaseUrl, databaseDirectUrl, databasePreparedStatements } = config;
  return {
    isPooled: databaseDirectUrl !== undefined && databaseDirectUrl !== databaseUrl,
    preparedStatements: databasePreparedStatements,
  };
}

export const STATEMENT_TIMEOUT_MS = 30_000;
/**
 * How long a transaction may run no statement. Then PostgreSQL ends its connection and releases its locks, because the
 * client's host may be gone. Longer than one unanswered request to the object store, which copies results within
 * transactions, and shorter than the limit of the statements that wait for these locks.
 */
export const TRANSACTION_IDLE_MS = 25_000;
/** Timeout for a server or network that no longer responds. Longer than the server's own limit, which acts first. */
const SILENCE_MS = STATEMENT_TIMEOUT_MS + 5_000;
/** Connections are replaced after this time, so that all of them eventually reach the current primary. */
const CONNECTION_LIFETIME_S = 1_800;

/** Options of a connection pool besides its URL and size. */
export function poolOptions({ isPooled }: ConnectionTraits, isLimited = true): Record<string, unknown> {
  return {
    keepAlive: true,
    maxLifetimeSeconds: CONNECTION_LIFETIME_S,
    // PgBouncer rejects unknown startup parameters. Transactions then set the limit and isolation themselves.
    ...(!isPooled && { options: SESSION_OPTIONS }),
    ...(isLimited && !isPooled && { statement_timeout: STATEMENT_TIMEOUT_MS }),
    ...(isLimited && { query_timeout: SILENCE_MS }),
  };
}

/** The database connection of every process. Only migrations change the schema, never `synchronize`. */
export function dataSourceOptions(settings: DataSourceSettings): DataSourceOptions {
  const traits = settings.traits ?? DIRECT;
  return {
    type: 'postgres',
    url: settings.databaseUrl,
    applicationName: settings.applicationName,
    poolSize: settings.poolSize,
    connectTimeoutMS: 5_000,
    entities: settings.entities ?? [],
    migrations: MIGRATIONS.filter(({ name }) => settings.migrations?.includes(name) ?? true),
    migrationsTableName: 'schema_migrations',
    synchronize: false,
    logging: false,
    extra: { ...poolOptions(traits, settings.unlimited !== true), traits },
  };
}

export function createDataSource(settings: DataSourceSettings): DataSource {
  return new DataSource(dataSourceOptions(settings));
}
