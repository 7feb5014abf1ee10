import { t } from '@lingui/core/macro';
import { Progress, Text } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { formatDuration } from '../../../lib/format.js';
import type { Enhancement } from './enhancement-state.js';
import classes from './run-progress.module.css';

const STEPS = [t`Uploading`, t`Queued`, t`Processing`, t`Completed`] as const;
const PROCESSING = 2;
const LAST = 3;
const ENDS = { completed: t`Completed`, failed: t`Failed`, canceled: t`Canceled` } as const;

export interface RunProgressProps {
  readonly run: Enhancement;
}

/** The four steps of a run. The height is the same for all of them. */
export function RunProgress({ run }: RunProgressProps) {
  const { step, share, end } = progressOf(run);
  return (
    <div className={classes['root']} data-idle={step < 0}>
      <ol className={classes['steps']} aria-label={t`Progress`}>
        {STEPS.map((label, index) => {
          const state = stateOf(index, run);
          return (
            <li
              key={label}
              className={classes['step']}
              data-state={state}
              aria-current={state === 'now' ? 'step' : undefined}
            >
              <span className={classes['dot']} aria-hidden>
                {state === 'done' && <IconCheck size={12} stroke={3} />}
                {(state === 'failed' || state === 'canceled') && <IconX size={12} stroke={3} />}
              </span>
              {index === LAST && end !== null ? ENDS[end] : label}
            </li>
          );
        })}
      </ol>
      <Progress
        value={share * 100}
        size="sm"
        aria-label={t`Step progress`}
        color={end === 'failed' ? 'red' : end === 'canceled' ? 'gray' : 'accent'}
        transitionDuration={200}
      />
      <Text size="sm" c="dimmed" mt={8} mih={22} aria-live="polite">
        {sentenceOf(run)}
      </Text>
    </div>
  );
}

/** A run that was canceled while it was queued was never processed. */
function stateOf(index: number, run: Enhancement): 'done' | 'now' | 'later' | 'failed' | 'canceled' {
  const { step, end } = progressOf(run);
  if (run.phase === 'ended' && index === PROCESSING && run.job.startedAt === null) return 'later';
  if (step === LAST && index === LAST) return end === null || end === 'completed' ? 'done' : end;
  if (index < step) return 'done';
  return index === step ? 'now' : 'later';
}

type End = keyof typeof ENDS;

function progressOf(run: Enhancement): { step: number; share: number; end: End | null } {
  const at = (step: number, share: number, end: End | null = null) => ({ step, share, end });
  if (run.phase === 'uploading') return at(0, run.share);
  if (run.phase === 'creating') return at(1, 0);
  if (run.phase === 'watching')
    return run.job.status === 'queued' ? at(1, 0) : at(PROCESSING, Math.max(0.03, run.job.progress));
  if (run.phase !== 'ended') return at(-1, 0);
  if (run.job.status === 'completed') return at(LAST, 1, 'completed');
  return at(LAST, 1, run.job.error?.code === 'canceled' ? 'canceled' : 'failed');
}

function sentenceOf(run: Enhancement): string {
  if (run.phase === 'uploading') return t`Uploading: ${Math.round(run.share * 100)}%`;
  if (run.phase === 'creating') return t`Creating the job`;
  if (run.phase === 'watching') return run.job.status === 'queued' ? t`Waiting in the queue` : t`Enhancing`;
  if (run.phase !== 'ended') return t`Not started`;
  if (run.job.status === 'failed') return t`Not charged`;
  return run.job.timings === null ? t`Done` : t`Done in ${formatDuration(run.job.timings.totalMs)}`;
}
