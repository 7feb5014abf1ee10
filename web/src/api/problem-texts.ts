import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';

export interface ProblemText {
  readonly title: string;
  readonly detail: string;
}

const text = (title: string, detail: string): ProblemText => ({ title, detail });

/** Translated errors that occur in the dashboard, by code. Others are shown in English, as the service sends them. */
const TEXTS: Readonly<Record<string, ProblemText>> = {
  invalid_request: text(t`Invalid request`, t`A field is missing or invalid.`),
  invalid_credentials: text(t`Incorrect email or password`, t`Check both and try again.`),
  wrong_password: text(t`Incorrect password`, t`The password is incorrect. Nothing was changed.`),
  link_not_valid: text(t`Invalid link`, t`It has expired, has already been used, or is incomplete.`),
  link_for_other_user: text(
    t`Link for another user`,
    t`Sign out, sign in as the user who asked for the link, and open it again.`,
  ),
  email_taken: text(
    t`Email address taken`,
    t`The address now belongs to another account. Choose another address.`,
  ),
  wrong_code: text(t`Incorrect code`, t`The code is incorrect, has expired, or was used before.`),
  passkey_refused: text(
    t`Passkey refused`,
    t`The passkey is unknown, was removed, or belongs to another address.`,
  ),
  passkey_limit_reached: text(t`Too many passkeys`, t`Remove a passkey you no longer need.`),
  sign_in_expired: text(t`Sign-in expired`, t`Start again with your email and password.`),
  two_factor_enabled: text(t`Two-factor authentication is on`, t`Turn it off first to use another app.`),
  two_factor_not_set_up: text(
    t`Two-factor authentication is not set up`,
    t`Close this window and start the setup again.`,
  ),
  not_signed_in: text(t`Not signed in`, t`Your session has expired. Sign in again.`),
  sign_up_closed: text(t`Sign-up is closed`, t`Ask the operator of this service for an account.`),
  csrf_refused: text(t`Request refused`, t`Reload the page and try again.`),
  insufficient_role: text(
    t`Insufficient role`,
    t`Your role in this organization doesn't allow this. Ask an owner or admin.`,
  ),
  account_suspended: text(t`Account suspended`, t`The operator of this service has suspended this account.`),
  read_only_session: text(
    t`Read-only`,
    t`You're signed in as a customer, and that session is read-only. End it in the banner first.`,
  ),
  email_not_verified: text(
    t`Email address not confirmed`,
    t`Open the link we sent you first. You can resend it from the banner above.`,
  ),
  own_account: text(
    t`Your own account`,
    t`You can't suspend, delete or sign in as your own account. Ask another operator.`,
  ),
  primary_owner: text(
    t`Primary owner can't be changed`,
    t`The primary owner can't be removed, leave the organization, or change roles.`,
  ),
  already_member: text(t`Already a member`, t`This person already works in this organization.`),
  member_limit_reached: text(
    t`Member limit reached`,
    t`An organization can have 100 members. Remove one first.`,
  ),
  organization_limit_reached: text(
    t`Organization limit reached`,
    t`You can own 10 organizations. Delete one first.`,
  ),
  owns_organizations: text(
    t`You own organizations`,
    t`First delete the organizations that you are the primary owner of. Only the operator of this service can resume or delete a suspended one.`,
  ),
  plan_request_open: text(
    t`Plan request open`,
    t`You already have an open plan request. Cancel it before you request another plan.`,
  ),
  plan_request_closed: text(
    t`Plan request closed`,
    t`The request has already been approved, declined or canceled. Nothing was changed.`,
  ),
  invitation_pending: text(
    t`Invitation pending`,
    t`This address has an open invitation. Create a new link for it, or revoke it first.`,
  ),
  invitation_limit_reached: text(
    t`Invitation limit reached`,
    t`Revoke open invitations that you no longer need.`,
  ),
  invitation_for_other_user: text(
    t`Invitation for another person`,
    t`Sign in with the address that was invited.`,
  ),
  invitation_used: text(t`Invitation already used`, t`This invitation has already been accepted.`),
  invitation_revoked: text(
    t`Invitation revoked`,
    t`This invitation was revoked, or replaced by a newer link. Ask for a new one.`,
  ),
  invitation_expired: text(t`Invitation expired`, t`Invitations expire after 7 days. Ask for a new one.`),
  quota_exceeded: text(t`Quota exceeded`, t`You've used all of your monthly enhancements or storage.`),
  key_limit_reached: text(t`API key limit reached`, t`Revoke a key you no longer need, or change your plan.`),
  endpoint_limit_reached: text(t`Endpoint limit reached`, t`Delete an endpoint you no longer need.`),
  endpoint_disabled: text(t`The endpoint is disabled`, t`Enable it first.`),
  comparison_limit_reached: text(
    t`Too many comparisons`,
    t`Five comparisons are waiting or running. Try again when one has ended.`,
  ),
  share_link_limit_reached: text(t`Share link limit reached`, t`Revoke a link you no longer need.`),
  preset_limit_reached: text(t`Preset limit reached`, t`Delete a preset you no longer need.`),
  preset_read_only: text(
    t`Built-in preset`,
    t`Built-in presets can't be changed. Save yours under another name.`,
  ),
  preset_not_found: text(t`Preset not found`, t`This preset no longer exists.`),
  not_found: text(t`Not found`, t`It doesn't exist in your account, or has been deleted.`),
  gone: text(t`No longer available`, t`It was deleted, or has expired.`),
  job_already_finished: text(t`The job has already finished`, t`It can no longer be canceled.`),
  batch_already_finished: text(t`The batch has already finished`, t`It can no longer be canceled.`),
  batch_not_finished: text(t`The batch is still running`, t`Wait until every photo has finished.`),
  nothing_to_retry: text(t`Nothing to retry`, t`No photo of this batch has failed.`),
  payload_too_large: text(t`The file is too large`, t`Files can be up to 20 MB. Resize the photo first.`),
  unsupported_media_type: text(t`Unsupported file type`, t`Use a JPEG, PNG, WebP or AVIF image.`),
  hdr_image: text(t`HDR image`, t`Save the photo in standard dynamic range (SDR) first.`),
  undecodable_image: text(t`Unreadable image`, t`This file isn't a valid image, or is damaged.`),
  animated_image: text(t`Animated image`, t`Animations can't be enhanced. Use a still image.`),
  too_many_pixels: text(t`The image has too many pixels`, t`Resize it first.`),
  no_subject_found: text(t`No subject found`, t`The photo has no subject that can be cut out.`),
  result_too_large: text(t`The result would be too large`, t`Choose a lower level or a smaller photo.`),
  rate_limited: text(t`Too many requests`, t`Wait a moment, then try again.`),
  pixel_rate_limited: text(t`Too many pixels per minute`, t`Wait a moment, or use smaller photos.`),
  too_many_uploads: text(t`Too many uploads at once`, t`Wait until some have finished.`),
  too_many_attempts: text(t`Too many attempts`, t`Wait a moment, then try again.`),
  upload_timeout: text(t`The upload took too long`, t`Check your connection and try again.`),
  upload_incomplete: text(t`The upload was interrupted`, t`Check your connection and try again.`),
  worker_lost: text(t`The worker stopped`, t`Something failed on our side. Try again.`),
  processing_failed: text(t`Processing failed`, t`Something failed on our side. Try again.`),
  internal_error: text(t`Internal error`, t`Something failed on our side. Try again.`),
  service_unavailable: text(t`Temporarily unavailable`, t`Wait a moment, then try again.`),
  canceled: text(t`Canceled`, t`The job was canceled.`),
};

/** The meaning of an error code, in any language; undefined for codes that the dashboard does not know. */
export function codeText(code: string): ProblemText | undefined {
  return TEXTS[code];
}

/** Errors whose English text in the service names a field of the API. */
const FOR_PROGRAMS = new Set(['internal_error']);

/** An error in the reader's language; undefined if the service's English text should be shown. */
export function problemText(code: string): ProblemText | undefined {
  return i18n.locale === 'en' && !FOR_PROGRAMS.has(code) ? undefined : TEXTS[code];
}
