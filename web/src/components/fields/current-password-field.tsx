import { t } from '@lingui/core/macro';
import { PasswordInput } from '@mantine/core';
import { codeFault } from '../../api/problem.js';
import { useHasPassword } from '../../api/session/session.js';
import { NoPassword } from './no-password.js';

export interface CurrentPasswordFieldProps {
  readonly value: string;
  /** Why the last request failed; the field shows it if the password was wrong. */
  readonly error: Error | null;
  readonly onChange: (password: string) => void;
  /** Whether the form also asks for a new password. Then the labels distinguish the two. */
  readonly isBesideNew?: boolean;
  /** Focuses the field when its dialog opens. */
  readonly isFirst?: boolean;
}

/** The user's current password, which confirms a change. A user without one learns how to set it. */
export function CurrentPasswordField(props: CurrentPasswordFieldProps) {
  const { value, error, onChange, isBesideNew = false, isFirst = false } = props;
  const wrong = wrongPassword(error);
  if (!useHasPassword()) return <NoPassword />;
  return (
    <PasswordInput
      label={isBesideNew ? t`Current password` : t`Password`}
      autoComplete="current-password"
      required
      withAsterisk={false}
      value={value}
      error={wrong}
      aria-invalid={wrong !== undefined}
      onChange={(event) => onChange(event.currentTarget.value)}
      visibilityToggleButtonProps={{
        'aria-label': isBesideNew ? t`Show current password` : t`Show password`,
      }}
      {...(isFirst && { 'data-autofocus': true })}
    />
  );
}

/** The field's error message; undefined if the error concerns something else. */
export function wrongPassword(error: Error | null): string | undefined {
  return codeFault(error, 'wrong_password');
}
