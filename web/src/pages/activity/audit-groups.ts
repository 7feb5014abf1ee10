import { t } from '@lingui/core/macro';

export interface AuditGroup {
  /** The part of the names of its actions before the dot. */
  readonly value: string;
  readonly label: string;
}

/** The kinds of events that accounts have. */
export const ACCOUNT_GROUPS: readonly AuditGroup[] = [
  { value: 'sign_in', label: t`Sign-ins` },
  { value: 'sign_out', label: t`Sign-outs` },
  { value: 'session', label: t`Sessions` },
  { value: 'password', label: t`Password` },
  { value: 'email', label: t`Email address` },
  { value: 'two_factor', label: t`Two-factor authentication` },
  { value: 'recovery_codes', label: t`Recovery codes` },
  { value: 'passkey', label: t`Passkeys` },
  { value: 'identity', label: t`Sign-in providers` },
  { value: 'account', label: t`Account` },
  { value: 'plan', label: t`Plan` },
  { value: 'member', label: t`Members` },
  { value: 'invitation', label: t`Invitations` },
  { value: 'key', label: t`API keys` },
  { value: 'endpoint', label: t`Webhooks` },
  { value: 'callback_secret', label: t`Callback signing secrets` },
  { value: 'preset', label: t`Presets` },
  { value: 'share_link', label: t`Shared links` },
  { value: 'result_cache', label: t`Result cache` },
  { value: 'job', label: t`Jobs` },
  { value: 'operator', label: t`Operator role` },
  { value: 'impersonation', label: t`Sign-ins by operators` },
];

/** The kinds of events that belong to no account. */
export const SERVICE_GROUPS: readonly AuditGroup[] = [
  { value: 'worker', label: t`Workers` },
  { value: 'model', label: t`Model versions` },
  { value: 'models', label: t`Model rescans` },
  { value: 'secrets', label: t`Service keys` },
  { value: 'restore', label: t`Backups` },
  { value: 'audit', label: t`Exports` },
];
