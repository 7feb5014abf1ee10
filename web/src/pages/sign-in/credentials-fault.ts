import { t } from '@lingui/core/macro';
export interface CredentialsFaults {
  readonly email?: string;
  readonly password?: string;
}

export const MIN_PASSWORD_LENGTH = 12;

/**
 * Checks an email address and a password before they are sent. The service makes the final decision.
 * @param isNew for a new account, whose password has a minimum length
 */
export function credentialsFaults(email: string, password: string, isNew: boolean): CredentialsFaults {
  return {
    ...emailFault(email.trim()),
    ...passwordFault(password, isNew),
  };
}

/** The error in an email address. */
export function emailFault(email: string): CredentialsFaults {
  if (email === '') return { email: t`Enter your email address.` };
  if (!/^[^\s@]+@[^\s@]+$/.test(email))
    return { email: t`Enter a complete email address, such as you@example.com.` };
  return {};
}

/** The error in a password. */
export function passwordFault(password: string, isNew: boolean): CredentialsFaults {
  if (password === '') return { password: isNew ? t`Choose a password.` : t`Enter your password.` };
  const missing = MIN_PASSWORD_LENGTH - Array.from(password).length;
  if (!isNew || missing <= 0) return {};
  return {
    password: t`Use at least ${MIN_PASSWORD_LENGTH} characters: add ${missing} more.`,
  };
}
