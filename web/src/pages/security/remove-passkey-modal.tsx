import { t } from '@lingui/core/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import type { Passkey } from '../../api/schema.js';
import { useRemovePasskey } from '../../api/session/passkeys.js';
import { Dialog } from '../../components/dialogs/dialog.js';
import { ErrorState } from '../../components/notices/error-state.js';

export interface RemovePasskeyModalProps {
  readonly passkey: Passkey;
  readonly onClose: () => void;
}

export function RemovePasskeyModal({ passkey, onClose }: RemovePasskeyModalProps) {
  const remove = useRemovePasskey();
  const { id, name } = passkey;
  return (
    <Dialog onClose={onClose} title={t`Remove ${name}?`}>
      <Stack gap="md">
        {remove.error !== null && <ErrorState error={remove.error} />}
        <Text size="sm">
          {t`It no longer signs you in. Delete it from your device or password manager, too.`}
        </Text>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            {t`Cancel`}
          </Button>
          <Button
            color="red.9"
            loading={remove.isPending}
            onClick={() => remove.mutate(id, { onSuccess: onClose })}
          >
            {t`Remove passkey`}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
