import { t } from '@lingui/core/macro';
import { Button, Group, Text } from '@mantine/core';
import { Notice } from '../../../components/notices/notice.js';

export interface MissingMarksProps {
  readonly onRetry: () => void;
  readonly onStartOver: () => void;
}

/** Asks how to continue when the earlier marks of a cutout do not load. A new result would not have them. */
export function MissingMarks({ onRetry, onStartOver }: MissingMarksProps) {
  return (
    <Notice tone="warn" role="alert" title={t`The earlier marks couldn't be loaded`}>
      <Text size="sm" mb="xs">
        {t`Without them, a new result loses the earlier corrections.`}
      </Text>
      <Group gap="xs">
        <Button size="xs" onClick={onRetry}>
          {t`Try again`}
        </Button>
        <Button size="xs" variant="default" onClick={onStartOver}>
          {t`Start without the earlier marks`}
        </Button>
      </Group>
    </Notice>
  );
}
