import { t } from '@lingui/core/macro';
import { Button, Group, Stack } from '@mantine/core';
import { SecretBox, type SecretKind } from './secret-box.js';

export interface SecretShownProps {
  readonly secret: string;
  readonly kind: SecretKind;
  readonly onDone: () => void;
}

/** The end of a dialog that made a secret. */
export function SecretShown({ secret, kind, onDone }: SecretShownProps) {
  return (
    <Stack gap="md">
      <SecretBox secret={secret} kind={kind} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          {t`I've copied it`}
        </Button>
      </Group>
    </Stack>
  );
}
