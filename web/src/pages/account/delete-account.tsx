import { t } from '@lingui/core/macro';
import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { DeleteAccountModal } from './delete-account-modal.js';

export interface DeleteAccountProps {
  /** The address of the user, or the name of the organization. */
  readonly name: string;
  readonly isOrganization: boolean;
}

export function DeleteAccount({ name, isOrganization }: DeleteAccountProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Text size="sm" c="dimmed" mb="md">
        {isOrganization
          ? t`Permanently deletes this organization with all its photos, results, jobs, keys and webhooks.`
          : t`Permanently deletes this account with all its photos, results, jobs, keys and webhooks.`}
      </Text>
      <Button variant="default" c="var(--mantine-color-error)" onClick={() => setIsOpen(true)}>
        {isOrganization ? t`Delete organization…` : t`Delete account…`}
      </Button>
      {isOpen && (
        <DeleteAccountModal name={name} isOrganization={isOrganization} onClose={() => setIsOpen(false)} />
      )}
    </>
  );
}
