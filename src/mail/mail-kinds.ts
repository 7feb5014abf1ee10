/** Every kind of mail, as it is called in logs and metrics. */
export const MAIL_KINDS = ['password_reset', 'password_changed', 'email_verification'] as const;
export type MailKind = (typeof MAIL_KINDS)[number];
