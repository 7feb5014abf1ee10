import { t } from '@lingui/core/macro';
import { Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { fieldFault } from '../../api/problem.js';
import { useAddPasskey } from '../../api/session/passkeys.js';
import { Dialog } from '../../components/dialogs/dialog.js';
import { DialogButtons } from '../../components/dialogs/dialog-buttons.js';
import { CurrentPasswordField, wrongPassword } from '../../components/fields/current-password-field.js';
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
  const unfit = fieldFault(add.error, 'name');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate({ name: name.trim(), password }, { onSuccess: onClose });
  };
  return (
    <Dialog onClose={onClose} title={t`Add a passkey`}>
      <form onSubmit={submit}>
        <Stack gap="md">
          {wrongPassword(add.error) === undefined && unfit === undefined && (
            <PasskeyFault error={add.error} />
          )}
          <TextInput
            label={t`Name`}
            description={t`So that you recognize it later.`}
            maxLength={100}
            value={name}
            error={unfit}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <CurrentPasswordField isFirst value={password} error={add.error} onChange={setPassword} />
          <DialogButtons
            action={t`Continue`}
            isBusy={add.isPending}
            isDisabled={password === '' || name.trim() === ''}
            onCancel={onClose}
          />
        </Stack>
      </form>
    </Dialog>
  );
}
