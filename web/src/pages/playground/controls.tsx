import { Button, Stack } from '@mantine/core';
import { useRef } from 'react';
import { ApiError } from 'image-enhancement-client';
import type { Level } from '../../api/jobs/job.js';
import { ErrorState } from '../../components/notices/error-state.js';
import { JobFault } from '../../components/notices/job-fault.js';
import classes from './controls.module.css';
import type { Enhancement, Uncanceled } from './run/enhancement-state.js';
import { LevelPicker } from './level-picker.js';
import { NotCanceled } from './run/not-canceled.js';
import { OperationPicker } from './operation-picker.js';
import { RunCost } from './run/run-cost.js';
import { RunProgress } from './run/run-progress.js';
import type { Allowance } from './run/use-allowance.js';

export interface ControlsProps {
  readonly operations: readonly string[];
  readonly operation: string;
  readonly level: Level;
  readonly run: Enhancement;
  readonly hasPhoto: boolean;
  /** Whether the photo can be enhanced now. */
  readonly isReady: boolean;
  readonly allowance: Allowance;
  /** Whether these settings were run on this photo already. */
  readonly isRepeated: boolean;
  readonly isRunning: boolean;
  readonly onOperation: (operation: string) => void;
  readonly onLevel: (level: Level) => void;
  readonly onStart: () => void;
  readonly onStop: () => void;
  /** What Cancel did not reach, and another try at it. */
  readonly uncanceled: Uncanceled | null;
  readonly onCancel: (jobId: string) => void;
}

/** What to do with the photo, and how far it is. */
export function Controls(props: ControlsProps) {
  const { operations, operation, level, run, isRunning } = props;
  const { refusal } = props.allowance;
  const isReady = props.isReady && refusal === null;
  const button = useRef<HTMLButtonElement>(null);
  /** The button of an error goes with the error. */
  const withFocus = (act: () => void) => {
    button.current?.focus();
    act();
  };
  return (
    <form
      className={classes['root']}
      aria-label="Enhancement"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !isRunning) props.onStart();
      }}
    >
      <Stack gap="lg">
        <OperationPicker operations={operations} value={operation} onChange={props.onOperation} />
        <LevelPicker operation={operation} value={level} onChange={props.onLevel} />
        {/* One button, so that the focus stays on it when a run begins and when it ends. */}
        <Button
          ref={button}
          type={isRunning ? 'button' : 'submit'}
          variant={isRunning ? 'default' : 'filled'}
          size="md"
          fullWidth
          disabled={!isRunning && !isReady}
          // A key that is held down would cancel what it has just begun.
          onKeyDown={(event) => event.repeat && event.key === 'Enter' && event.preventDefault()}
          onClick={(event) => {
            if (!isRunning) return;
            // It turns back into the one that submits while it is still pressed.
            event.preventDefault();
            props.onStop();
          }}
        >
          {isRunning ? 'Cancel' : props.hasPhoto || refusal !== null ? 'Enhance' : 'Choose a photo first'}
        </Button>
        {!isRunning && !isRefusedForRoom(run) && (
          <RunCost allowance={props.allowance} isRepeated={props.isRepeated} />
        )}
        {props.uncanceled !== null && (
          <NotCanceled fault={props.uncanceled} onRetry={(jobId) => withFocus(() => props.onCancel(jobId))} />
        )}
        {run.phase === 'refused' && <ErrorState error={run.error} onRetry={() => withFocus(props.onStart)} />}
        {run.phase === 'ended' && run.job.error !== null && <JobFault error={run.job.error} isNew />}
        {run.phase !== 'refused' && <RunProgress run={run} />}
      </Stack>
    </form>
  );
}

/** The refusal itself says then what is used up. */
function isRefusedForRoom(run: Enhancement): boolean {
  return run.phase === 'refused' && run.error instanceof ApiError && run.error.code === 'quota_exceeded';
}
