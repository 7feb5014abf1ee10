import { Button, Group, Stack } from '@mantine/core';
import { SecretBox } from './secret-box.js';

export interface SecretShownProps {
  readonly secret: string;
  readonly noun: string;
  readonly onDone: () => void;
}

/** The end of a dialog that made a secret. */
export function SecretShown({ secret, noun, onDone }: SecretShownProps) {
  return (
    <Stack gap="md">
      <SecretBox secret={secret} noun={noun} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          I've copied it
        </Button>
      </Group>
    </Stack>
  );
}
