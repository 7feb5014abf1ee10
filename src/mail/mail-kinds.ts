/** Every kind of email, by its name in logs and metrics. */
export const MAIL_KINDS = [
  'password_reset',
  'password_changed',
  'sign_in_changed',
  'email_verification',
  'email_change',
  'email_changed',
  'account_deleted',
  'invitation',
  'quota',
  'endpoint_disabled',
  'new_sign_in',
] as const;
export type MailKind = (typeof MAIL_KINDS)[number];
