import type { OperatorChange } from '../letters/sign-in-changed.letter.js';

/** Why a webhook endpoint was disabled: by a 410, after days of failures, or by an operator of the service. */
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
  /** Scheme and host of its URL, and nothing else: a path may contain a secret. */
  readonly origin: string;
  readonly reason: EndpointDisabledReason;
}

/** An operator changed how the user signs in. */
export interface SignInNotice {
  readonly kind: 'sign_in_changed';
  readonly change: OperatorChange;
}

/** What happened to an account that its people are told by email. */
export type AccountNotice = QuotaNotice | EndpointNotice | SignInNotice;

const KINDS: ReadonlySet<string> = new Set<AccountNotice['kind']>([
  'quota',
  'endpoint_disabled',
  'sign_in_changed',
]);

/** A notice that waits for a dispatcher. */
export interface DueNotice extends Record<string, unknown> {
  readonly id: string;
  readonly accountId: string;
  /** The name of an organization, or the address of a user's account. */
  readonly accountName: string;
  readonly kind: string;
  readonly data: unknown;
  readonly createdAt: Date;
  /** So old that it would be no news. */
  readonly isStale: boolean;
}

/** The notice of a row; undefined for a kind that this version does not know. */
export function noticeOf({ kind, data }: DueNotice): AccountNotice | undefined {
  if (!KINDS.has(kind)) return undefined;
  return Object.assign({ kind }, data) as AccountNotice;
}
