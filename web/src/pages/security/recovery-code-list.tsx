import { t } from '@lingui/core/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import { IconDownload, IconEyeOff } from '@tabler/icons-react';
import { Notice } from '../../components/notices/notice.js';
import { CopyButton } from '../../components/text/copy-button.js';
import classes from './security-page.module.css';

export interface RecoveryCodeListProps {
  readonly codes: readonly string[];
  readonly onDone: () => void;
}

/** Recovery codes, which the service cannot show again. */
export function RecoveryCodeList({ codes, onDone }: RecoveryCodeListProps) {
  const text = `${codes.join('\n')}\n`;
  return (
    <Stack gap="md">
      <Text size="sm">{t`Each code signs you in once when you don't have your app.`}</Text>
      <ul className={classes['codes']} aria-label={t`Recovery codes`}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <Notice tone="warn" icon={<IconEyeOff size={18} stroke={1.8} />}>
        {t`The codes are shown only once. Keep them in a password manager, or print them.`}
      </Notice>
      <Group justify="space-between" gap="sm">
        <Group gap="sm">
          <CopyButton text={text} label={t`Copy recovery codes`} size="sm" />
          <Button
            component="a"
            variant="default"
            leftSection={<IconDownload size={16} />}
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
            download="recovery-codes.txt"
          >
            {t`Download`}
          </Button>
        </Group>
        <Button onClick={onDone}>{t`I've saved them`}</Button>
      </Group>
    </Stack>
  );
}
