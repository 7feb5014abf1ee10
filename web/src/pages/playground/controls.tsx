import { Button, Stack } from '@mantine/core';
import type { Level } from '../../api/job.js';
import { ErrorState } from '../../components/error-state.js';
import { JobFault } from '../../components/job-fault.js';
import classes from './controls.module.css';
import type { Enhancement } from './enhancement-state.js';
import { LevelPicker } from './level-picker.js';
import { OperationPicker } from './operation-picker.js';
import { RunProgress } from './run-progress.js';

export interface ControlsProps {
  readonly operations: readonly string[];
  readonly operation: string;
  readonly level: Level;
  readonly run: Enhancement;
  /** Whether there is a photo. */
  readonly isReady: boolean;
  readonly isRunning: boolean;
  readonly onOperation: (operation: string) => void;
  readonly onLevel: (level: Level) => void;
  readonly onStart: () => void;
  readonly onStop: () => void;
}

/** What to do with the photo, and how far it is. */
export function Controls(props: ControlsProps) {
  const { operations, operation, level, run, isReady, isRunning } = props;
  return (
    <form
      className={classes['root']}
      aria-label="Enhancement"
      onSubmit={(event) => {
        event.preventDefault();
        props.onStart();
      }}
    >
      <Stack gap="lg">
        <OperationPicker operations={operations} value={operation} onChange={props.onOperation} />
        <LevelPicker operation={operation} value={level} onChange={props.onLevel} />
        {/* With keys: one button that became the other while it is pressed would submit the form. */}
        {isRunning ? (
          <Button key="cancel" variant="default" size="md" fullWidth onClick={props.onStop}>
            Cancel
          </Button>
        ) : (
          <Button key="start" type="submit" size="md" fullWidth disabled={!isReady}>
            {isReady ? 'Enhance' : 'Choose a photo first'}
          </Button>
        )}
        {run.phase === 'refused' && <ErrorState error={run.error} onRetry={props.onStart} />}
        {run.phase === 'ended' && run.job.error !== null && <JobFault error={run.job.error} isNew />}
        {run.phase !== 'refused' && <RunProgress run={run} />}
      </Stack>
    </form>
  );
}
