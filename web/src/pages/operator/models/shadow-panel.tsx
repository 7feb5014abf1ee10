import { plural, t } from '@lingui/core/macro';
import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useStopShadow } from '../../../api/operator/models.js';
import type { Shadow } from '../../../api/operator/schema.js';
import { ErrorState } from '../../../components/notices/error-state.js';
import { Notice } from '../../../components/notices/notice.js';
import { RelativeTime } from '../../../components/times/relative-time.js';
import { ShadowFiguresList } from './shadow-figures-list.js';
import { ShadowForm } from './shadow-form.js';
import classes from './models-page.module.css';

export interface ShadowPanelProps {
  readonly operation: string;
  readonly shadow: Shadow;
  /** Asks for confirmation to let the version serve. */
  readonly onChoose: () => void;
}

/** The differences of the shadow's results, and the available actions. */
export function ShadowPanel({ operation, shadow, onChoose }: ShadowPanelProps) {
  const { version, percent, since, loadedOn, missingOn } = shadow;
  const stop = useStopShadow(operation, version);
  const [isChanging, setIsChanging] = useState(false);
  return (
    <section className={classes['canary']} aria-label={t`Shadow run`}>
      <Group justify="space-between" gap="xs" align="flex-start">
        <div>
          <Text size="sm" fw={500}>
            {t`${percent}% of finished jobs are compared with version ${version}`}
          </Text>
          <Text size="sm" c="dimmed">
            {t`Started`} <RelativeTime iso={since} />
          </Text>
        </div>
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={() => setIsChanging(true)}>
            {t`Change share`}
          </Button>
          <Button size="xs" variant="default" loading={stop.isPending} onClick={() => stop.mutate()}>
            {t`Stop`}
          </Button>
          <Button size="xs" onClick={onChoose}>
            {t`Choose version ${version}`}
          </Button>
        </Group>
      </Group>
      {stop.isError && <ErrorState error={stop.error} />}
      {loadedOn.length === 0 && (
        <Notice tone="warn" title={t`No worker has loaded this version, so no jobs are compared.`} />
      )}
      {loadedOn.length > 0 && missingOn.length > 0 && (
        <Notice
          tone="info"
          title={plural(missingOn.length, {
            one: '# worker has not loaded it. Its jobs are not compared.',
            other: '# workers have not loaded it. Their jobs are not compared.',
          })}
        />
      )}
      <ShadowFiguresList operation={operation} version={version} />
      {isChanging && (
        <ShadowForm
          operation={operation}
          version={version}
          current={shadow}
          onClose={() => setIsChanging(false)}
        />
      )}
    </section>
  );
}
