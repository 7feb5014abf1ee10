import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { request } from '../client.js';
import type { ChangeNotificationSettings, NotificationSettings } from '../schema.js';

const NOTIFICATIONS_KEY = ['notifications'] as const;
const PATH = '/notifications';

/** The notification settings of the user. */
export function useNotifications(isEnabled: boolean) {
  return useQuery({
    queryKey: NOTIFICATIONS_KEY,
    queryFn: ({ signal }) => request<NotificationSettings>({ method: 'GET', path: PATH }, { signal }),
    refetchOnMount: 'always',
    enabled: isEnabled,
  });
}

/** Changes only the given settings. */
export function useChangeNotifications() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: ChangeNotificationSettings) =>
      request<NotificationSettings>({ method: 'PATCH', path: PATH, body }),
    onSuccess: (settings) => client.setQueryData(NOTIFICATIONS_KEY, settings),
  });
}
