import { Progress, Text } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { formatDuration } from '../../lib/format.js';
import type { Enhancement } from './enhancement-state.js';
import classes from './run-progress.module.css';

const STEPS = ['Uploading', 'Queued', 'Processing', 'Completed'] as const;

export interface RunProgressProps {
  readonly run: Enhancement;
}

/** The four steps of a run; takes the same room in each of them. */
export function RunProgress({ run }: RunProgressProps) {
  const { step, share, hasFailed } = progressOf(run);
  return (
    <div className={classes['root']} data-idle={step < 0}>
      <ol className={classes['steps']} aria-label="Progress">
        {STEPS.map((label, index) => {
          const state = stateOf(index, step, hasFailed);
          return (
            <li
              key={label}
              className={classes['step']}
              data-state={state}
              aria-current={state === 'now' ? 'step' : undefined}
            >
              <span className={classes['dot']} aria-hidden>
                {state === 'done' && <IconCheck size={12} stroke={3} />}
                {state === 'failed' && <IconX size={12} stroke={3} />}
              </span>
              {index === 3 && hasFailed ? 'Failed' : label}
            </li>
          );
        })}
      </ol>
      <Progress
        value={share * 100}
        size="sm"
        aria-label="Progress of this step"
        color={hasFailed ? 'red' : 'accent'}
        transitionDuration={200}
      />
      <Text size="sm" c="dimmed" mt={8} mih={22} aria-live="polite">
        {sentenceOf(run)}
      </Text>
    </div>
  );
}

function stateOf(index: number, step: number, hasFailed: boolean): 'done' | 'now' | 'failed' | 'later' {
  if (step >= 3 && index === 3) return hasFailed ? 'failed' : 'done';
  if (index < step) return 'done';
  return index === step ? 'now' : 'later';
}

function progressOf(run: Enhancement): { step: number; share: number; hasFailed: boolean } {
  const at = (step: number, share: number) => ({ step, share, hasFailed: false });
  if (run.phase === 'uploading') return at(0, run.share);
  if (run.phase === 'creating') return at(1, 0);
  if (run.phase === 'watching')
    return run.job.status === 'queued' ? at(1, 0) : at(2, Math.max(0.03, run.job.progress));
  if (run.phase === 'ended') return { step: 3, share: 1, hasFailed: run.job.status === 'failed' };
  return at(-1, 0);
}

function sentenceOf(run: Enhancement): string {
  if (run.phase === 'uploading') return `Sending the photo: ${Math.round(run.share * 100)} %`;
  if (run.phase === 'creating') return 'Creating the job';
  if (run.phase === 'watching')
    return run.job.status === 'queued' ? 'Waiting for a free worker' : 'The model is at work';
  if (run.phase !== 'ended') return 'Nothing runs yet';
  if (run.job.status === 'failed') return 'It cost nothing';
  return run.job.timings === null ? 'Done' : `Done in ${formatDuration(run.job.timings.totalMs)}`;
}
