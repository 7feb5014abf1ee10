import { plural, t } from '@lingui/core/macro';
import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useEndCanary } from '../../../api/operator/models.js';
import type { Canary } from '../../../api/operator/schema.js';
import { ConfirmModal } from '../../../components/dialogs/confirm-modal.js';
import { ErrorState } from '../../../components/notices/error-state.js';
import { Notice } from '../../../components/notices/notice.js';
import { RelativeTime } from '../../../components/times/relative-time.js';
import { CanaryFiguresTable } from './canary-figures-table.js';
import { CanaryForm } from './canary-form.js';
import classes from './models-page.module.css';
import { promotionText } from './promotion-text.js';

export interface CanaryPanelProps {
  readonly operation: string;
  readonly canary: Canary;
  /** Whether a worker can serve the canary. */
  readonly canServe: boolean;
  /** The version that serves the other customers. */
  readonly serving: number | null;
}

/** The share of the canary, its results, and the available actions. */
export function CanaryPanel({ operation, canary, canServe, serving }: CanaryPanelProps) {
  const { version, percent, by, since, active, missingOn } = canary;
  const end = useEndCanary(operation, version);
  const [open, setOpen] = useState<'share' | 'promote' | null>(null);
  const close = () => {
    setOpen(null);
    end.reset();
  };
  return (
    <section className={classes['canary']} aria-label={t`Canary`}>
      <Group justify="space-between" gap="xs" align="flex-start">
        <div>
          <Text size="sm" fw={500}>
            {by === 'key'
              ? t`${percent}% of API keys get version ${version}`
              : t`${percent}% of accounts get version ${version}`}
          </Text>
          <Text size="sm" c="dimmed">
            {t`Started`} <RelativeTime iso={since} />
          </Text>
        </div>
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={() => setOpen('share')}>
            {t`Change share`}
          </Button>
          <Button
            size="xs"
            variant="default"
            loading={open === null && end.isPending}
            onClick={() => end.mutate('cancel')}
          >
            {t`Cancel canary`}
          </Button>
          <Button size="xs" disabled={!canServe} onClick={() => setOpen('promote')}>
            {t`Promote`}
          </Button>
        </Group>
      </Group>
      {open === null && end.isError && <ErrorState error={end.error} />}
      {!active && (
        <Notice
          tone="warn"
          title={t`All customers get the version that serves until every worker has loaded the canary`}
        >
          {missingOn.length > 0 &&
            plural(missingOn.length, {
              one: '# worker has not loaded it.',
              other: '# workers have not loaded it.',
            })}
        </Notice>
      )}
      <CanaryFiguresTable operation={operation} version={version} />
      {open === 'share' && (
        <CanaryForm operation={operation} version={version} current={canary} onClose={close} />
      )}
      {open === 'promote' && (
        <ConfirmModal
          title={t`Promote version ${version}?`}
          text={promotionText(version, serving)}
          action={t`Promote`}
          isBusy={end.isPending}
          error={end.error}
          onConfirm={() => end.mutate('promote', { onSuccess: close })}
          onClose={close}
        />
      )}
    </section>
  );
}
