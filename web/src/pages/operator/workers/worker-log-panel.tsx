import { t } from '@lingui/core/macro';
import { Group, Stack, Text } from '@mantine/core';
import type { Worker, WorkerLog } from '../../../api/operator/schema.js';
import { useWorkerLog } from '../../../api/operator/workers.js';
import { SidePanel } from '../../../components/dialogs/side-panel.js';
import { ErrorState } from '../../../components/notices/error-state.js';
import { Loading } from '../../../components/notices/loading.js';
import { Notice } from '../../../components/notices/notice.js';
import { ScrollRegion } from '../../../components/pages/scroll-region.js';
import { CopyButton } from '../../../components/text/copy-button.js';
import { formatDateTime } from '../../../lib/format.js';
import { type LogLine, readLogLine } from './log-line.js';
import classes from './worker-log-panel.module.css';

export interface WorkerLogPanelProps {
  readonly worker: Pick<Worker, 'id' | 'host'>;
  readonly onClose: () => void;
}

/** The last lines of a worker's log, newest last. */
export function WorkerLogPanel({ worker: { id, host }, onClose }: WorkerLogPanelProps) {
  const log = useWorkerLog(id);
  return (
    <SidePanel title={t`Log of ${host}`} onClose={onClose}>
      <Stack gap="md">
        {log.isPending && <Loading height={300} />}
        {log.isError && <ErrorState error={log.error} onRetry={() => void log.refetch()} />}
        {log.data?.current === false && <NoAnswer sentAt={log.data.sentAt} />}
        {log.data !== undefined && <Lines log={log.data} />}
      </Stack>
    </SidePanel>
  );
}

function NoAnswer({ sentAt }: Pick<WorkerLog, 'sentAt'>) {
  const time = sentAt === null ? '' : formatDateTime(sentAt);
  return (
    <Notice tone="warn" title={t`The worker did not respond`}>
      {sentAt !== null && <Text size="sm">{t`These lines are from ${time}.`}</Text>}
    </Notice>
  );
}

function Lines({ log: { lines } }: { readonly log: WorkerLog }) {
  if (lines.length === 0) return <Text size="sm" c="dimmed">{t`No log lines.`}</Text>;
  const numbered = lines.map((text, index) => ({ ...readLogLine(text), key: `${index} ${text}` }));
  return (
    <>
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {t`The newest line is at the end. Updates every five seconds.`}
        </Text>
        <CopyButton text={lines.join('\n')} label={t`Copy log`} />
      </Group>
      <ScrollRegion className={classes['lines']} label={t`Log`}>
        <ol>
          {numbered.map(({ key, ...line }) => (
            <Line key={key} {...line} />
          ))}
        </ol>
      </ScrollRegion>
    </>
  );
}

function Line({ time, level, text, fields }: LogLine) {
  return (
    <li data-level={level}>
      <span className={classes['time']}>{time}</span>
      <span className={classes['text']}>{text}</span>
      {fields !== '' && <span className={classes['fields']}>{fields}</span>}
    </li>
  );
}
