import { t } from '@lingui/core/macro';
import { Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { fieldFault } from '../../api/problem.js';
import { useRequestEmailChange } from '../../api/session/email-change.js';
import { useHasPassword } from '../../api/session/session.js';
import { Dialog } from '../../components/dialogs/dialog.js';
import { DialogButtons } from '../../components/dialogs/dialog-buttons.js';
import { CurrentPasswordField, wrongPassword } from '../../components/fields/current-password-field.js';
import { ErrorState } from '../../components/notices/error-state.js';
import { emailFault } from '../sign-in/credentials-fault.js';

export interface ChangeEmailModalProps {
  readonly onClose: () => void;
}

/** Asks for the new address and the password, then sends a link to that address. */
export function ChangeEmailModal({ onClose }: ChangeEmailModalProps) {
  const [given, setGiven] = useState('');
  const [password, setPassword] = useState('');
  const [fault, setFault] = useState<string>();
  const hasPassword = useHasPassword();
  const change = useRequestEmailChange();
  const email = given.trim();
  const shown = fault ?? fieldFault(change.error, 'email');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = emailFault(email).email;
    setFault(found);
    if (found === undefined) change.mutate({ email, password }, { onSuccess: onClose });
  };
  return (
    <Dialog onClose={onClose} title={t`Change email address`}>
      <form noValidate onSubmit={submit}>
        <Stack gap="md">
          {change.error !== null && wrongPassword(change.error) === undefined && shown === undefined && (
            <ErrorState error={change.error} />
          )}
          {hasPassword && (
            <>
              <Text size="sm">
                {t`We send a link to the new address. Your address changes when you open and confirm it.`}
              </Text>
              <TextInput
                label={t`New email address`}
                type="email"
                autoComplete="email"
                required
                withAsterisk={false}
                data-autofocus
                value={given}
                error={shown}
                aria-invalid={shown !== undefined}
                onChange={(event) => {
                  setGiven(event.currentTarget.value);
                  setFault(undefined);
                }}
              />
            </>
          )}
          <CurrentPasswordField value={password} error={change.error} onChange={setPassword} />
          <DialogButtons
            action={t`Send link`}
            isBusy={change.isPending}
            isDisabled={email === '' || password === ''}
            onCancel={onClose}
          />
        </Stack>
      </form>
    </Dialog>
  );
}
