import { t } from '@lingui/core/macro';
import { Group, Kbd, Modal, Stack, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { areShortcutsOn, setShortcutsOn } from './shortcuts.js';
import { useNavItems } from './use-nav-items.js';

export interface ShortcutsModalProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Lists the keyboard shortcuts, with a switch that turns them off. */
export function ShortcutsModal({ isOpen, onClose }: ShortcutsModalProps) {
  const [isOn, setIsOn] = useState(areShortcutsOn);
  const items = useNavItems();
  const toggle = (next: boolean) => {
    setShortcutsOn(next);
    setIsOn(next);
  };
  return (
    <Modal opened={isOpen} onClose={onClose} title={t`Keyboard shortcuts`} size="sm">
      <Stack gap="sm">
        {items.map(({ key, label }) => (
          <Group key={key} justify="space-between">
            <Text size="sm">{label}</Text>
            <span>
              <Kbd>g</Kbd> <Kbd>{key}</Kbd>
            </span>
          </Group>
        ))}
        <Group justify="space-between">
          <Text size="sm">{t`These shortcuts`}</Text>
          <Kbd>?</Kbd>
        </Group>
        <Switch
          mt="xs"
          label={t`Use keyboard shortcuts`}
          checked={isOn}
          onChange={(event) => toggle(event.currentTarget.checked)}
        />
      </Stack>
    </Modal>
  );
}
