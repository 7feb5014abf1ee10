import { t } from '@lingui/core/macro';
import { Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useCreateOrganization } from '../../../api/members/organizations.js';
import { fieldFault } from '../../../api/problem.js';
import { Dialog } from '../../../components/dialogs/dialog.js';
import { DialogButtons } from '../../../components/dialogs/dialog-buttons.js';
import { ErrorState } from '../../../components/notices/error-state.js';

export interface CreateOrganizationModalProps {
  readonly onClose: () => void;
}

/** Asks for a name, which is all that an organization needs. */
export function CreateOrganizationModal({ onClose }: CreateOrganizationModalProps) {
  const create = useCreateOrganization();
  const [name, setName] = useState('');
  const nameFault = fieldFault(create.error, 'name');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate(name.trim());
  };
  return (
    <Dialog onClose={onClose} title={t`Create an organization`}>
      <form onSubmit={submit}>
        <Stack gap="md">
          {create.error !== null && nameFault === undefined && <ErrorState error={create.error} />}
          <Text size="sm">
            {t`An organization has its own images, API keys, webhooks and plan. You can then invite members.`}
          </Text>
          <TextInput
            label={t`Name`}
            required
            withAsterisk={false}
            maxLength={80}
            data-autofocus
            value={name}
            error={nameFault}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <DialogButtons
            action={t`Create organization`}
            isBusy={create.isPending || create.isSuccess}
            isDisabled={name.trim() === ''}
            onCancel={onClose}
          />
        </Stack>
      </form>
    </Dialog>
  );
}
