import { createHash } from 'node:crypto';

/** The audit events that each command of `npm run admin` writes. See test/flows/accounts/admin-audit.spec.ts. */
export const EMAIL = 'ada@example.org';
export const MEMBER = 'grace@example.org';
/** The id of an endpoint that the spec creates. */
export const ENDPOINT_ID = `we_${'1'.repeat(32)}`;
/** The ids of requests that the spec creates: of `EMAIL` for Enterprise, of `MEMBER` for Personal. */
export const REQUEST_IDS = [`plr_${'1'.repeat(32)}`, `plr_${'2'.repeat(32)}`] as const;
/** The id of a comparison that the spec creates. */
export const COMPARISON_ID = `cmp_${'1'.repeat(32)}`;
export const FAILED_JOB_ID = `job_${'1'.repeat(32)}`;
/** The id of an identity that the spec creates: `MEMBER` at https://id.example with the subject `grace`. */
export const IDENTITY_ID = createHash('sha256')
  .update('https://id.example\ngrace')
  .digest('hex')
  .slice(0, 32);
export const PASSWORD = 'the moon and back\n';

export interface Row {
  readonly command: string;
  /** The arguments of the command; `$key` is the key that `key create` made. */
  readonly words: readonly string[];
  readonly input?: string;
  /** Oldest first. */
  readonly events: readonly Readonly<Record<string, unknown>>[];
}

/** A worker without a process. */
export const WORKER = 'wrk_1';

const workerEvent = (done: string): Readonly<Record<string, unknown>> => ({
  action: `worker.${done}`,
  accountId: null,
  targetId: WORKER,
});

const versionEvent = (from: string, to: string): Readonly<Record<string, unknown>> => ({
  action: 'model.version_chosen',
  targetId: 'upscale',
  details: { from, to },
});

export const ROWS: readonly Row[] = [
  {
    command: 'account create',
    words: [EMAIL, '--plan', 'personal'],
    events: [
      { action: 'account.created', targetId: null, details: { plan: 'personal' } },
      { action: 'key.created', details: { name: 'First key' } },
    ],
  },
  {
    command: 'account set-password',
    words: [EMAIL, '--password-stdin'],
    input: PASSWORD,
    events: [{ action: 'password.changed', details: {} }],
  },
  {
    command: 'account reset-link',
    words: [EMAIL],
    events: [{ action: 'password.reset_link_issued', targetId: null, details: {} }],
  },
  {
    command: 'account set-plan',
    words: [EMAIL, 'business', '--limits', 'rpm=5'],
    events: [{ action: 'plan.changed', details: { from: 'personal', to: 'business', limits: { rpm: 5 } } }],
  },
  {
    command: 'account approve-request',
    words: [REQUEST_IDS[0], '--limits', 'rpm=9'],
    events: [{ action: 'plan.changed', details: { from: 'business', to: 'enterprise', limits: { rpm: 9 } } }],
  },
  {
    command: 'account decline-request',
    words: [REQUEST_IDS[1], '--reason', 'No invoice address'],
    events: [
      {
        action: 'plan.request_declined',
        targetId: REQUEST_IDS[1],
        details: { plan: 'personal', reason: 'No invoice address' },
      },
    ],
  },
  {
    command: 'account set-result-cache',
    words: [EMAIL, 'on'],
    events: [{ action: 'result_cache.changed', targetId: null, details: { from: 'off', to: 'on' } }],
  },
  {
    command: 'account add-member',
    words: [EMAIL, MEMBER, '--role', 'viewer'],
    events: [{ action: 'member.added', details: { role: 'viewer' } }],
  },
  {
    command: 'account add-member',
    words: [EMAIL, MEMBER, '--role', 'admin'],
    events: [{ action: 'member.role_changed', details: { from: 'viewer', to: 'admin' } }],
  },
  {
    command: 'account reset-two-factor',
    words: [MEMBER],
    events: [{ action: 'two_factor.reset', targetId: null, details: {} }],
  },
  {
    command: 'account set-email',
    words: [MEMBER, 'renamed@example.org'],
    events: [
      {
        action: 'email.changed',
        targetId: null,
        details: { from: MEMBER, to: 'renamed@example.org' },
      },
    ],
  },
  {
    command: 'account set-email',
    words: ['renamed@example.org', MEMBER],
    events: [{ action: 'email.changed', details: { from: 'renamed@example.org', to: MEMBER } }],
  },
  {
    command: 'account unlink-identity',
    words: [MEMBER, IDENTITY_ID],
    events: [
      { action: 'identity.unlinked', targetId: IDENTITY_ID, details: { issuer: 'https://id.example' } },
    ],
  },
  {
    command: 'account suspend',
    words: [EMAIL, '--reason', 'Unpaid invoice'],
    events: [{ action: 'account.suspended', details: { reason: 'Unpaid invoice' } }],
  },
  {
    command: 'account resume',
    words: [EMAIL],
    events: [{ action: 'account.resumed', details: {} }],
  },
  {
    command: 'account sign-in-as',
    words: [EMAIL, '--reason', 'Ticket 4711'],
    events: [{ action: 'impersonation.link_issued', targetId: null, details: { reason: 'Ticket 4711' } }],
  },
  {
    command: 'job run-again',
    words: [FAILED_JOB_ID],
    events: [{ action: 'job.rerun', targetId: FAILED_JOB_ID }],
  },
  {
    command: 'account reset-password',
    words: [EMAIL],
    events: [{ action: 'password.reset', details: {} }],
  },
  {
    command: 'account sign-out',
    words: [EMAIL],
    events: [{ action: 'session.revoked', details: { sessions: 1 } }],
  },
  {
    command: 'operator grant',
    words: [EMAIL],
    events: [{ action: 'operator.granted', targetId: null, details: {} }],
  },
  {
    command: 'operator revoke',
    words: [EMAIL],
    events: [{ action: 'operator.revoked', targetId: null, details: {} }],
  },
  {
    command: 'key create',
    words: [EMAIL, '--name', 'Shop', '--expires-in', '30d', '--allow-ip', '192.0.2.0/24'],
    events: [{ action: 'key.created', targetId: '$key', details: { name: 'Shop' } }],
  },
  {
    command: 'key revoke',
    words: ['$key'],
    events: [{ action: 'key.revoked', targetId: '$key', details: { name: 'Shop' } }],
  },
  {
    command: 'account delete',
    words: [MEMBER, '--confirm', MEMBER],
    events: [
      { action: 'member.left', details: { role: 'admin' } },
      { action: 'account.deleted', details: {} },
    ],
  },
  {
    command: 'endpoint disable',
    words: [ENDPOINT_ID],
    events: [
      {
        action: 'endpoint.disabled',
        targetId: ENDPOINT_ID,
        details: { reason: 'operator', changed: ['enabled'] },
      },
    ],
  },
  {
    command: 'endpoint enable',
    words: [ENDPOINT_ID],
    events: [{ action: 'endpoint.updated', targetId: ENDPOINT_ID, details: { changed: ['enabled'] } }],
  },
  {
    command: 'secrets rotate',
    words: ['signing'],
    events: [{ action: 'secrets.rotated', accountId: null, details: { kind: 'signing' } }],
  },
  {
    command: 'secrets retire',
    words: ['signing', '--force'],
    events: [{ action: 'secrets.retired', accountId: null, details: { kind: 'signing' } }],
  },
  {
    command: 'restores hold',
    words: ['2020-01-31T12:00:00Z'],
    events: [{ action: 'restore.held', targetId: '1', details: { snapshotAt: '2020-01-31T12:00:00.000Z' } }],
  },
  {
    command: 'audit-export',
    words: ['--action', 'key'],
    events: [{ action: 'audit.exported', accountId: null, details: { format: 'ndjson', action: 'key' } }],
  },
  { command: 'worker drain', words: [WORKER], events: [workerEvent('drained')] },
  { command: 'worker resume', words: [WORKER], events: [workerEvent('resumed')] },
  { command: 'worker restart', words: [WORKER], events: [workerEvent('restarted')] },
  { command: 'model reload', words: [], events: [{ action: 'models.reloaded', accountId: null }] },
  { command: 'model serve', words: ['upscale', '2'], events: [versionEvent('highest', '2')] },
  { command: 'model roll-back', words: ['upscale'], events: [versionEvent('2', '1')] },
  {
    command: 'model canary',
    words: ['upscale', '2', '--percent', '5', '--by', 'key'],
    events: [{ ...versionEvent('1', '2 (5% by key)'), action: 'model.canary_started' }],
  },
  {
    command: 'model promote-canary',
    words: ['upscale'],
    events: [{ ...versionEvent('1', '2'), action: 'model.canary_promoted' }],
  },
  {
    command: 'model canary',
    words: ['upscale', '1', '--percent', '100'],
    events: [{ ...versionEvent('2', '1 (100% by account)'), action: 'model.canary_started' }],
  },
  {
    command: 'model cancel-canary',
    words: ['upscale'],
    events: [{ ...versionEvent('1', '2'), action: 'model.canary_canceled' }],
  },
  {
    command: 'model shadow',
    words: ['upscale', '1', '--percent', '10'],
    events: [{ ...versionEvent('2', '1 (10%)'), action: 'model.shadow_started' }],
  },
  {
    command: 'model stop-shadow',
    words: ['upscale'],
    events: [{ ...versionEvent('1 (10%)', '2'), action: 'model.shadow_stopped' }],
  },
  {
    command: 'model compare',
    words: ['upscale', '1', '2', '--photo', 'package.json', '--no-wait'],
    events: [{ ...versionEvent('1', '2'), action: 'model.versions_compared' }],
  },
  { command: 'restores release', words: [], events: [{ action: 'restore.released', targetId: '1' }] },
];

/** Commands on a whole database: see backup.spec.ts. */
export const ON_DATABASE = ['backup', 'restore'];

/** Commands that write no event, with the arguments that make them run. */
export const READERS: Readonly<Record<string, readonly string[]>> = {
  'account list': [],
  'account show': [EMAIL],
  'account usage': [EMAIL],
  'account search': ['ada'],
  'account requests': [],
  'account identities': [EMAIL],
  'key list': [EMAIL],
  'secrets status': [],
  'operator list': [],
  overview: [],
  'job failed': ['--since', '7d', '--code', 'worker_lost'],
  'endpoint failing': [],
  'restores list': [],
  audit: [],
  settings: [],
  'worker list': [],
  'worker log': [WORKER],
  'model list': [],
  'model canary-figures': ['upscale'],
  'model shadow-figures': ['upscale'],
  'model comparison': [COMPARISON_ID],
  migrate: [],
};
