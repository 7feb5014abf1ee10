import { t } from '@lingui/core/macro';
import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';

export interface EndpointMenuProps {
  readonly url: string;
  readonly isEnabled: boolean;
  readonly onEdit: () => void;
  readonly onToggle: () => void;
  readonly onDelete: () => void;
}

/** The less common actions for an endpoint. */
export function EndpointMenu({ url, isEnabled, onEdit, onToggle, onDelete }: EndpointMenuProps) {
  return (
    <Menu position="bottom-end" width={160}>
      <Menu.Target>
        <ActionIcon variant="default" size={30} aria-label={t`More actions for ${url}`}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={onEdit}>{t`Edit`}</Menu.Item>
        <Menu.Item onClick={onToggle}>{isEnabled ? t`Disable` : t`Enable`}</Menu.Item>
        <Menu.Item c="var(--mantine-color-error)" onClick={onDelete}>
          {t`Delete`}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
