import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Endpoint } from 'image-enhancement-client';
import { useRecoverEndpoint } from '../../../api/webhooks/webhook-endpoints.js';
import { ErrorState } from '../../../components/notices/error-state.js';
import { Dialog } from '../../../components/dialogs/dialog.js';
import { DialogButtons } from '../../../components/dialogs/dialog-buttons.js';

const HOUR_MS = 3_600_000;
const SINCE = [
  { value: '1', label: t`The last hour` },
  { value: '6', label: t`The last 6 hours` },
  { value: '24', label: t`The last 24 hours` },
  { value: '72', label: t`The last 3 days` },
  { value: '168', label: t`The last 7 days` },
  { value: '672', label: t`The last 28 days` },
];

export interface RecoverModalProps {
  readonly endpoint: Endpoint;
  readonly onClose: () => void;
}

/** Sends missed events again, for example after the receiver was down. */
export function RecoverModal({ endpoint, onClose }: RecoverModalProps) {
  const [hours, setHours] = useState('24');
  const recover = useRecoverEndpoint(endpoint.id);
  const start = () => recover.mutate(new Date(Date.now() - Number(hours) * HOUR_MS).toISOString());
  return (
    <Dialog onClose={onClose} title={t`Recover missed events`}>
      <Stack gap="md">
        {recover.error !== null && <ErrorState error={recover.error} />}
        {recover.isSuccess ? (
          <Text size="sm" role="status">
            {sentenceOf(recover.data.deliveries)}
          </Text>
        ) : (
          <>
            <Text size="sm">
              <Trans>
                This resends every event that was not delivered to {endpoint.url}. Your receiver may get an
                event twice, with the same ID.
              </Trans>
            </Text>
            <NativeSelect
              label={t`Since`}
              data-autofocus
              data={SINCE}
              value={hours}
              onChange={(event) => setHours(event.currentTarget.value)}
            />
          </>
        )}
        {recover.isSuccess ? (
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t`Close`}
            </Button>
          </Group>
        ) : (
          <DialogButtons
            action={t`Send again`}
            isBusy={recover.isPending}
            onConfirm={start}
            onCancel={onClose}
          />
        )}
      </Stack>
    </Dialog>
  );
}

function sentenceOf(deliveries: number): string {
  if (deliveries === 0) return t`No missed events in that period.`;
  return plural(deliveries, { one: 'Resending one event.', other: 'Resending # events.' });
}
