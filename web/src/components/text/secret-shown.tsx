import { t } from '@lingui/core/macro';
import { Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { SecretBox, type SecretKind } from './secret-box.js';

export interface SecretShownProps {
  readonly secret: string;
  readonly kind: SecretKind;
  readonly onDone: () => void;
  /** Text below the secret. */
  readonly children?: ReactNode;
}

/** The last step of a dialog that created a secret. */
export function SecretShown({ secret, kind, onDone, children }: SecretShownProps) {
  return (
    <Stack gap="md">
      <SecretBox secret={secret} kind={kind} />
      {children}
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          {t`I've copied it`}
        </Button>
      </Group>
    </Stack>
  );
}
