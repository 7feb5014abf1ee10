import { t } from '@lingui/core/macro';
import { NativeSelect, Stack, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { useChangeNotifications, useNotifications } from '../../api/session/notifications.js';
import type { ChangeNotificationSettings, NotificationSettings } from '../../api/schema.js';
import { ErrorState } from '../../components/notices/error-state.js';
import { Loading } from '../../components/notices/loading.js';

export interface NotificationsProps {
  /** Whether the service sends email. */
  readonly sendsMail: boolean;
}

/** The notification settings and their language. Changes are saved immediately. */
export function Notifications({ sendsMail }: NotificationsProps) {
  const settings = useNotifications(sendsMail);
  if (!sendsMail)
    return (
      <Text size="sm" c="dimmed">
        {t`This service doesn't send email.`}
      </Text>
    );
  if (settings.isLoadingError)
    return <ErrorState error={settings.error} onRetry={() => void settings.refetch()} />;
  if (settings.data === undefined) return <Loading height={220} />;
  return <NotificationForm settings={settings.data} />;
}

function NotificationForm({ settings }: { readonly settings: NotificationSettings }) {
  const change = useChangeNotifications();
  // The mutation's own state changes a moment after the click, and the switch would flip back until then.
  const [chosen, setChosen] = useState<ChangeNotificationSettings>({});
  const shown = { ...settings, ...chosen };
  const choose = (choice: ChangeNotificationSettings) => {
    setChosen({ ...chosen, ...choice });
    // Called for the last change only. After an error, shows the stored settings again.
    change.mutate(choice, { onSettled: () => setChosen({}) });
  };
  return (
    <Stack gap="md">
      {change.error !== null && <ErrorState error={change.error} />}
      <Switch
        label={t`Quota`}
        description={t`Sent to owners and billing contacts when 80% and 100% of a monthly quota are used.`}
        checked={shown.quota}
        onChange={(event) => choose({ quota: event.currentTarget.checked })}
      />
      <Switch
        label={t`Webhooks`}
        description={t`Sent to owners, admins and developers when an endpoint is disabled.`}
        checked={shown.webhooks}
        onChange={(event) => choose({ webhooks: event.currentTarget.checked })}
      />
      <Switch
        label={t`Security`}
        description={t`Sent when you sign in from a new device, and when your password, email address or sign-in methods change. Always on.`}
        checked
        disabled
        readOnly
      />
      <NativeSelect
        label={t`Language of emails`}
        maw={240}
        value={shown.language}
        data={[
          { value: 'en', label: 'English' },
          { value: 'de', label: 'Deutsch' },
        ]}
        onChange={(event) =>
          choose({ language: event.currentTarget.value as NotificationSettings['language'] })
        }
      />
    </Stack>
  );
}
