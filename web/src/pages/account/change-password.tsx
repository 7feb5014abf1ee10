import { t } from '@lingui/core/macro';
import { Button, PasswordInput, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { fieldFault } from '../../api/problem.js';
import { useChangePassword } from '../../api/session/session-actions.js';
import { CurrentPasswordField, wrongPassword } from '../../components/fields/current-password-field.js';
import { ErrorState } from '../../components/notices/error-state.js';
import { Notice } from '../../components/notices/notice.js';

export interface ChangePasswordProps {
  /** For password managers, which store the new password under this address. */
  readonly email: string;
}

/** Changes the password, which ends every other session. */
export function ChangePassword({ email }: ChangePasswordProps) {
  const [currentPassword, setCurrent] = useState('');
  const [newPassword, setNew] = useState('');
  const change = useChangePassword();
  const unfit = fieldFault(change.error, 'newPassword');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const clear = () => {
      setCurrent('');
      setNew('');
    };
    change.mutate({ currentPassword, newPassword }, { onSuccess: clear });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {change.isSuccess && (
          <Notice tone="good" role="status">
            {t`Password changed. All other sessions were signed out.`}
          </Notice>
        )}
        {change.error !== null && wrongPassword(change.error) === undefined && unfit === undefined && (
          <ErrorState error={change.error} />
        )}
        <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
        <CurrentPasswordField
          isBesideNew
          value={currentPassword}
          error={change.error}
          onChange={setCurrent}
        />
        <PasswordInput
          label={t`New password`}
          description={t`At least 12 characters. A few random words work well.`}
          autoComplete="new-password"
          required
          withAsterisk={false}
          minLength={12}
          value={newPassword}
          error={unfit}
          aria-invalid={unfit !== undefined}
          onChange={(event) => setNew(event.currentTarget.value)}
          visibilityToggleButtonProps={{ 'aria-label': t`Show new password` }}
        />
        <div>
          <Button type="submit" loading={change.isPending}>
            {t`Change password`}
          </Button>
        </div>
      </Stack>
    </form>
  );
}
