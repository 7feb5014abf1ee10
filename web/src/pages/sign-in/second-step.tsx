import { t } from '@lingui/core/macro';
import { Button, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { codeFault } from '../../api/problem.js';
import { useEnterCode } from '../../api/session/session-actions.js';
import { ErrorState } from '../../components/notices/error-state.js';
import { AuthFrame } from './auth-frame.js';

export interface SecondStepProps {
  /** Returns to the first step. */
  readonly onRestart: () => void;
}

/** Asks for a code from the authenticator app, or for a recovery code. */
export function SecondStep({ onRestart }: SecondStepProps) {
  const [isRecovery, setIsRecovery] = useState(false);
  const [code, setCode] = useState('');
  const enter = useEnterCode();
  const refused = codeFault(enter.error, 'wrong_code');
  const wrong =
    isRecovery && refused !== undefined ? t`This recovery code is incorrect or was used before.` : refused;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    enter.mutate({ code: code.trim() }, { onError: () => setCode('') });
  };
  const toggle = () => {
    setIsRecovery(!isRecovery);
    setCode('');
    enter.reset();
  };
  return (
    <AuthFrame
      title={t`Two-factor authentication`}
      description={
        isRecovery
          ? t`Enter one of your recovery codes. Each works once.`
          : t`Enter the six digits that your authenticator app shows.`
      }
    >
      <form noValidate onSubmit={submit}>
        <Stack gap="md">
          {enter.error !== null && wrong === undefined && <ErrorState error={enter.error} />}
          {isRecovery && (
            <Text size="sm" c="dimmed">
              {t`If you have lost your codes, too, ask the operator of this service to turn off two-factor authentication.`}
            </Text>
          )}
          <TextInput
            key={String(isRecovery)}
            label={isRecovery ? t`Recovery code` : t`Code`}
            name="code"
            autoComplete="one-time-code"
            inputMode={isRecovery ? 'text' : 'numeric'}
            autoCapitalize="none"
            spellCheck={false}
            // eslint-disable-next-line jsx-a11y/no-autofocus -- this form is the page
            autoFocus
            value={code}
            error={wrong}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
          <Button type="submit" loading={enter.isPending} disabled={code.trim() === ''}>
            {t`Verify`}
          </Button>
          <Button variant="subtle" onClick={toggle}>
            {isRecovery ? t`Use the authenticator app` : t`Use a recovery code`}
          </Button>
          <Button variant="subtle" onClick={onRestart}>
            {t`Back to sign-in`}
          </Button>
        </Stack>
      </form>
    </AuthFrame>
  );
}
