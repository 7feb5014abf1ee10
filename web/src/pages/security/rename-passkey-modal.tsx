import { t } from '@lingui/core/macro';
import { Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Passkey } from '../../api/schema.js';
import { useRenamePasskey } from '../../api/session/passkeys.js';
import { Dialog } from '../../components/dialogs/dialog.js';
import { DialogButtons } from '../../components/dialogs/dialog-buttons.js';
import { ErrorState } from '../../components/notices/error-state.js';

export interface RenamePasskeyModalProps {
  readonly passkey: Passkey;
  readonly onClose: () => void;
}

export function RenamePasskeyModal({ passkey, onClose }: RenamePasskeyModalProps) {
  const [name, setName] = useState(passkey.name);
  const rename = useRenamePasskey();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    rename.mutate({ id: passkey.id, name: name.trim() }, { onSuccess: onClose });
  };
  return (
    <Dialog onClose={onClose} title={t`Rename passkey`}>
      <form onSubmit={submit}>
        <Stack gap="md">
          {rename.error !== null && <ErrorState error={rename.error} />}
          <TextInput
            label={t`Name`}
            maxLength={100}
            data-autofocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <DialogButtons
            action={t`Save`}
            isBusy={rename.isPending}
            isDisabled={name.trim() === ''}
            onCancel={onClose}
          />
        </Stack>
      </form>
    </Dialog>
  );
}
