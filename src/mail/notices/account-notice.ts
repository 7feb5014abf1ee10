import type { OperatorChange } from '../letters/sign-in-changed.letter.js';

/** Why a webhook endpoint was disabled: a 410 response, days of failures, or an operator of the service. */
export type EndpointDisabledReason = 'gone' | 'failing' | 'operator';

export interface QuotaNotice {
  readonly kind: 'quota';
  /** The month, such as `2026-11`. */
  readonly period: string;
  readonly percent: 80 | 100;
  readonly used: number;
  readonly allowed: number;
}

export interface EndpointNotice {
  readonly kind: 'endpoint_disabled';
  readonly endpointId: string;
  /** Only the scheme and host of its URL, because the path may contain a secret. */
  readonly origin: string;
  readonly reason: EndpointDisabledReason;
}

/** An operator changed how the user signs in. */
export interface SignInNotice {
  readonly kind: 'sign_in_changed';
  readonly change: OperatorChange;
}

/** An event in an account that its users are notified of by email. */
export type AccountNotice = QuotaNotice | EndpointNotice | SignInNotice;

const KINDS: ReadonlySet<string> = new Set<AccountNotice['kind']>([
  'quota',
  'endpoint_disabled',
  'sign_in_changed',
]);

/** A notice that is ready for a dispatcher. */
export interface DueNotice extends Record<string, unknown> {
  readonly id: string;
  readonly accountId: string;
  /** The name of an organization, or the address of a user's account. */
  readonly accountName: string;
  readonly kind: string;
  readonly data: unknown;
  readonly createdAt: Date;
  /** Whether the notice is too old to be sent. */
  readonly isStale: boolean;
}

/** The notice of a row; undefined for a kind that this version does not support. */
export function noticeOf({ kind, data }: DueNotice): AccountNotice | undefined {
  if (!KINDS.has(kind)) return undefined;
  return Object.assign({ kind }, data) as AccountNotice;
}
