import { t } from '@lingui/core/macro';
import { Stack } from '@mantine/core';
import { IconEyeOff } from '@tabler/icons-react';
import { CopyBox } from './copy-box.js';
import { Notice } from '../notices/notice.js';

export type SecretKind = 'key' | 'secret' | 'password';

const COPY = { key: t`Copy key`, secret: t`Copy signing secret`, password: t`Copy password` } as const;
const ONCE = {
  key: t`The key is shown only once. Copy it to a safe place now. If you lose it, create a new one.`,
  secret: t`The signing secret is shown only once. Copy it to a safe place now. If you lose it, create a new one.`,
  password: t`The password is shown only once. Send it to the customer over a channel that you trust.`,
} as const;

export interface SecretBoxProps {
  readonly secret: string;
  readonly kind: SecretKind;
}

/** A secret that the service can never show again. */
export function SecretBox({ secret, kind }: SecretBoxProps) {
  return (
    <Stack gap="sm">
      <CopyBox text={secret} label={COPY[kind]} testId="secret" />
      <Notice tone="warn" icon={<IconEyeOff size={18} stroke={1.8} />}>
        {ONCE[kind]}
      </Notice>
    </Stack>
  );
}
