import { t } from '@lingui/core/macro';
import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import type { Worker } from '../../../api/operator/schema.js';
import { useWorkerAction } from '../../../api/operator/workers.js';
import { ConfirmModal } from '../../../components/dialogs/confirm-modal.js';
import { ErrorState } from '../../../components/notices/error-state.js';

export interface WorkerActionsProps {
  readonly worker: Worker;
  /** Whether no other worker takes jobs. */
  readonly isLastServing: boolean;
  readonly onLog: () => void;
}

type Question = 'drain' | 'restart';

/** The operator's actions for a worker. Those that stop it from taking jobs require confirmation. */
export function WorkerActions({ worker, isLastServing, onLog }: WorkerActionsProps) {
  const action = useWorkerAction(worker.id);
  const [question, setQuestion] = useState<Question | null>(null);
  const close = () => {
    setQuestion(null);
    action.reset();
  };
  const isRestarting = worker.wanted === 'restart';
  return (
    <>
      {question === null && action.isError && <ErrorState error={action.error} />}
      <Group gap="xs">
        {worker.wanted === 'drain' ? (
          <Button
            size="xs"
            variant="default"
            loading={action.isPending}
            onClick={() => action.mutate('resume')}
          >
            {t`Resume`}
          </Button>
        ) : (
          <Button size="xs" variant="default" disabled={isRestarting} onClick={() => setQuestion('drain')}>
            {t`Drain`}
          </Button>
        )}
        <Button size="xs" variant="default" disabled={isRestarting} onClick={() => setQuestion('restart')}>
          {t`Restart`}
        </Button>
        <Button size="xs" variant="default" onClick={onLog}>
          {t`Show log`}
        </Button>
      </Group>
      {question !== null && (
        <ConfirmModal
          title={question === 'drain' ? t`Drain this worker?` : t`Restart this worker?`}
          text={`${explain(question, worker)}${isLastServing ? ` ${t`No other worker takes jobs, so new jobs wait.`}` : ''}`}
          action={question === 'drain' ? t`Drain worker` : t`Restart worker`}
          isBusy={action.isPending}
          error={action.error}
          onConfirm={() => action.mutate(question, { onSuccess: close })}
          onClose={close}
        />
      )}
    </>
  );
}

function explain(question: Question, { supervised }: Worker): string {
  if (question === 'drain')
    return t`The worker finishes its jobs and takes no new ones until you resume it. The process keeps running.`;
  return supervised === true
    ? t`The worker finishes or returns its jobs, exits and is restarted.`
    : t`The worker finishes or returns its jobs and exits. It starts again only if a supervisor such as Kubernetes or systemd restarts it.`;
}
