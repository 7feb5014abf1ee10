import { Group, Stack } from '@mantine/core';
import { IconEyeOff } from '@tabler/icons-react';
import classes from './secret-box.module.css';
import { CopyButton } from './copy-button.js';
import { Notice } from '../notices/notice.js';

export interface SecretBoxProps {
  readonly secret: string;
  /** What it is: "key", "signing secret". */
  readonly noun: string;
}

/** A secret that the service can never show again. */
export function SecretBox({ secret, noun }: SecretBoxProps) {
  return (
    <Stack gap="sm">
      <Group gap="sm" wrap="nowrap" className={classes['box']}>
        <code className={classes['secret']} data-testid="secret">
          {secret}
        </code>
        <CopyButton text={secret} label={`Copy ${noun}`} variant="filled" />
      </Group>
      <Notice tone="warn" icon={<IconEyeOff size={18} stroke={1.8} />}>
        The {noun} is shown only once. Copy it to a safe place now. If you lose it, create a new one.
      </Notice>
    </Stack>
  );
}
