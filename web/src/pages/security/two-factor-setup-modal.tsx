import { t } from '@lingui/core/macro';
import { Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { codeFault, fieldFault } from '../../api/problem.js';
import type { TwoFactorSetup } from '../../api/schema.js';
import { useBeginTwoFactorSetup, useEnableTwoFactor } from '../../api/session/two-factor.js';
import { Dialog } from '../../components/dialogs/dialog.js';
import { DialogButtons } from '../../components/dialogs/dialog-buttons.js';
import { ErrorState } from '../../components/notices/error-state.js';
import { CopyButton } from '../../components/text/copy-button.js';
import { PasswordForm } from './password-form.js';
import { QrCode } from './qr-code.js';
import { RecoveryCodeList } from './recovery-code-list.js';
import classes from './security-page.module.css';

export interface TwoFactorSetupModalProps {
  readonly onClose: () => void;
}

/**
 * Asks for the password, then shows the QR code and asks for a code from the app, then shows the recovery codes once.
 */
export function TwoFactorSetupModal({ onClose }: TwoFactorSetupModalProps) {
  const setup = useBeginTwoFactorSetup();
  const enable = useEnableTwoFactor();
  return (
    <Dialog
      onClose={onClose}
      title={enable.isSuccess ? t`Your recovery codes` : t`Set up two-factor authentication`}
      isPrecious={enable.isSuccess}
    >
      {setup.data === undefined && (
        <PasswordForm
          text={t`You need an authenticator app on your phone, such as Google Authenticator, 2FAS or 1Password.`}
          action={t`Continue`}
          isBusy={setup.isPending}
          error={setup.error}
          onSubmit={(password) => setup.mutate({ password })}
          onCancel={onClose}
        />
      )}
      {setup.data !== undefined && !enable.isSuccess && (
        <SetupForm
          setup={setup.data}
          isBusy={enable.isPending}
          error={enable.error}
          onSubmit={(code) => enable.mutate({ code })}
          onCancel={onClose}
        />
      )}
      {enable.isSuccess && <RecoveryCodeList codes={enable.data.codes} onDone={onClose} />}
    </Dialog>
  );
}

interface SetupFormProps {
  readonly setup: TwoFactorSetup;
  readonly isBusy: boolean;
  readonly error: Error | null;
  readonly onSubmit: (code: string) => void;
  readonly onCancel: () => void;
}

function SetupForm({ setup, isBusy, error, onSubmit, onCancel }: SetupFormProps) {
  const [code, setCode] = useState('');
  const wrong = codeFault(error, 'wrong_code') ?? fieldFault(error, 'code');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit(code.replaceAll(/\s/g, ''));
  };
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap="md">
        {error !== null && wrong === undefined && <ErrorState error={error} />}
        <Text size="sm">{t`Scan this code with an authenticator app, or type in the key below it.`}</Text>
        <QrCode text={setup.uri} label={t`QR code for the authenticator app`} />
        <Group gap="sm" justify="center" wrap="nowrap">
          <code className={classes['secret']} data-testid="totp-secret">
            {setup.secret.replaceAll(/.{4}(?=.)/g, '$& ')}
          </code>
          <CopyButton text={setup.secret} label={t`Copy key`} />
        </Group>
        <TextInput
          label={t`Code`}
          description={t`The six digits that the app shows now.`}
          autoComplete="one-time-code"
          inputMode="numeric"
          data-autofocus
          value={code}
          error={wrong}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <DialogButtons
          action={t`Turn on`}
          isBusy={isBusy}
          isDisabled={code.trim() === ''}
          onCancel={onCancel}
        />
      </Stack>
    </form>
  );
}
