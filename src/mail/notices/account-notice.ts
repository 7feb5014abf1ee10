import { type OperatorChange, SIGN_IN_CHANGES } from '../letters/sign-in-changed.letter.js';

/** Why a webhook endpoint was disabled: a 410 response, days of failures, or an operator of the service. */
export type EndpointDisabledReason = (typeof ENDPOINT_DISABLED_REASONS)[number];
const ENDPOINT_DISABLED_REASONS = ['gone', 'failing', 'operator'] as const;

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

/** An operator changed the address of the user. Sent to the earlier one. */
export interface EmailNotice {
  readonly kind: 'email_changed';
  readonly from: string;
  readonly to: string;
}

/** An event in an account that its users are notified of by email. */
export type AccountNotice = QuotaNotice | EndpointNotice | SignInNotice | EmailNotice;

/** A notice that is ready for a dispatcher. */
export interface DueNotice {
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

/**
 * The notice of a row; undefined for a kind, change or reason that this version does not support. During an update,
 * newer processes write such rows.
 */
export function noticeOf({ kind, data }: Pick<DueNotice, 'kind' | 'data'>): AccountNotice | undefined {
  const notice = Object.assign({ kind }, data) as AccountNotice;
  return isSupported(notice) ? notice : undefined;
}

function isSupported(notice: AccountNotice): boolean {
  if (notice.kind === 'sign_in_changed') return SIGN_IN_CHANGES.includes(notice.change);
  if (notice.kind === 'endpoint_disabled') return ENDPOINT_DISABLED_REASONS.includes(notice.reason);
  return notice.kind === 'quota' || notice.kind === 'email_changed';
}
