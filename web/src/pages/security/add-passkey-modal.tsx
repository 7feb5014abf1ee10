import { t } from '@lingui/core/macro';
import { Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { ApiError } from 'image-enhancement-client';
import { fieldFault, problemOf } from '../../api/problem.js';
import { useAddPasskey } from '../../api/session/passkeys.js';
import { Dialog } from '../../components/dialogs/dialog.js';
import { PasskeyFault } from '../../components/notices/passkey-fault.js';
import { describeUserAgent } from '../../lib/user-agent.js';

export interface AddPasskeyModalProps {
  readonly onClose: () => void;
}

/** Asks for a name and the password, then the browser for the passkey. */
export function AddPasskeyModal({ onClose }: AddPasskeyModalProps) {
  const [name, setName] = useState(() => describeUserAgent(navigator.userAgent));
  const [password, setPassword] = useState('');
  const add = useAddPasskey();
  const problem = add.error instanceof ApiError ? add.error : null;
  const wrong = problem?.code === 'wrong_password' ? problemOf(problem).detail : undefined;
  const unfit = fieldFault(add.error, 'name');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate({ name: name.trim(), password }, { onSuccess: onClose });
  };
  return (
    <Dialog onClose={onClose} title={t`Add a passkey`}>
      <form onSubmit={submit}>
        <Stack gap="md">
          {wrong === undefined && unfit === undefined && <PasskeyFault error={add.error} />}
          <TextInput
            label={t`Name`}
            description={t`So that you recognize it later.`}
            maxLength={100}
            value={name}
            error={unfit}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <PasswordInput
            label={t`Password`}
            autoComplete="current-password"
            data-autofocus
            value={password}
            error={wrong}
            aria-invalid={wrong !== undefined}
            onChange={(event) => setPassword(event.currentTarget.value)}
            visibilityToggleButtonProps={{ 'aria-label': t`Show password` }}
          />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              {t`Cancel`}
            </Button>
            <Button type="submit" loading={add.isPending} disabled={password === '' || name.trim() === ''}>
              {t`Continue`}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
