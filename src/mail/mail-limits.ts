import { AppError } from '../kernel/app-error.js';
import type { Prepared, Queryable } from '../infra/database/database.js';
import type { MailKind } from './mail-kinds.js';

/** Emails of a kind that one address gets within an hour. Legitimate use stays below these limits. */
export const MAILS_PER_HOUR: Readonly<Record<MailKind, number>> = {
  password_reset: 5,
  password_changed: 10,
  sign_in_changed: 10,
  email_verification: 5,
  email_change: 5,
  email_changed: 10,
  account_deleted: 10,
  invitation: 5,
  quota: 100,
  endpoint_disabled: 100,
  new_sign_in: 5,
};

/** Notices of a kind that an address gets within a day until it is verified: anyone can sign up with it. */
export const UNVERIFIED_NOTICES_PER_DAY = 5;

/** A time in the future was written by a clock that was wrong. */
const within = (period: string): string =>
  `at BETWEEN clock_timestamp() - interval '${period}' AND clock_timestamp()`;

/**
 * $1: subject; $2: kind; $3: emails within an hour; $4: within a day, unless the subject is a verified address; null:
 * unlimited. The row is locked until the end of the transaction, so concurrent emails count each other.
 */
const TAKE: Prepared = {
  name: 'mail_limits_take',
  text: `INSERT INTO mail_limits AS m (subject, kind, sent_at, allowed, updated_at)
         VALUES (sha256(convert_to(lower($1), 'UTF8')), $2, ARRAY[clock_timestamp()], true, clock_timestamp())
         ON CONFLICT (subject, kind) DO UPDATE SET (sent_at, allowed, updated_at) = (
           SELECT CASE WHEN c.allowed THEN c.day || clock_timestamp() ELSE c.day END, c.allowed, clock_timestamp()
             FROM (SELECT d.day, (SELECT count(*) FROM unnest(d.day) AS at WHERE ${within('1 hour')}) < $3::int
                          AND ($4::int IS NULL OR cardinality(d.day) < $4 OR EXISTS (
                            SELECT FROM accounts WHERE lower(email) = lower($1) AND email_verified_at IS NOT NULL)) AS allowed
                     FROM (SELECT ARRAY(SELECT at FROM unnest(m.sent_at) AS at WHERE ${within('1 day')}) AS day) d) c)
         RETURNING allowed, (SELECT extract(epoch FROM min(at) + interval '1 hour' - clock_timestamp())::float8
                               FROM unnest(sent_at) AS at WHERE ${within('1 hour')}) AS "freeInSeconds"`,
};

interface TakenMail {
  readonly allowed: boolean;
  /** Seconds until the oldest email of the last hour no longer counts; null if there is none. */
  readonly freeInSeconds: number | null;
}

/**
 * Counts emails by the address that gets them, and by their senders. The counts outlive accounts and organizations. A
 * rollback undoes them. Refused emails are not counted.
 */
export const mailLimits = {
  /**
   * Call this before an email is written.
   * @param to an address, or a name that is not one, for which the work is the same
   * @param perDay limit for an address that is not verified; default: none
   */
  async take(tx: Queryable, kind: MailKind, to: string, perDay: number | null = null): Promise<TakenMail> {
    return (await tx.query<TakenMail>(TAKE, [to, kind, MAILS_PER_HOUR[kind], perDay]))[0]!;
  },

  /** @param sender the id of an organization, or the address of a user */
  async takeOfSender(tx: Queryable, kind: MailKind, sender: string, perHour: number): Promise<TakenMail> {
    return (await tx.query<TakenMail>(TAKE, [`sender ${sender}`, kind, perHour, null]))[0]!;
  },
};

/**
 * @param what was sent before, as a sentence for the user
 * @throws AppError `too_many_attempts`
 */
export function requireMailAllowed({ allowed, freeInSeconds }: TakenMail, what: string): void {
  if (allowed) return;
  throw new AppError('too_many_attempts', {
    detail: `${what} Try again later.`,
    retryAfterSeconds: Math.max(1, Math.ceil(freeInSeconds ?? 0)),
  });
}
