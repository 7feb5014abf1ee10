import { t } from '@lingui/core/macro';
import { Button, Stack } from '@mantine/core';
import { useRef } from 'react';
import { ApiError } from 'image-enhancement-client';
import { ErrorState } from '../../../components/notices/error-state.js';
import { JobFault } from '../../../components/notices/job-fault.js';
import { type Enhancement, isRunning, type Uncanceled } from './enhancement-state.js';
import { NotCanceled } from './not-canceled.js';
import { RunCost, type RunCostProps } from './run-cost.js';
import { RunProgress } from './run-progress.js';

export interface RunControlsProps extends RunCostProps {
  readonly run: Enhancement;
  readonly hasPhoto: boolean;
  /** Whether the photo can be enhanced now. */
  readonly isReady: boolean;
  readonly onStart: () => void;
  readonly onStop: () => void;
  /** What Cancel did not reach, and another try at it. */
  readonly uncanceled: Uncanceled | null;
  readonly onCancel: (jobId: string) => void;
}

/** Starts and cancels a run, and says how far it is. */
export function RunControls(props: RunControlsProps) {
  const { run, hasPhoto, onStart, onStop, uncanceled, onCancel } = props;
  const { refusal } = props.allowance;
  const isBusy = isRunning(run);
  const button = useRef<HTMLButtonElement>(null);
  /** The button of an error goes with the error. */
  const withFocus = (act: () => void) => {
    button.current?.focus();
    act();
  };
  return (
    <Stack gap="lg">
      {/* One button, so that the focus stays on it when a run begins and when it ends. */}
      <Button
        ref={button}
        type={isBusy ? 'button' : 'submit'}
        variant={isBusy ? 'default' : 'filled'}
        size="md"
        fullWidth
        disabled={!isBusy && !(props.isReady && refusal === null)}
        // A key that is held down would cancel what it has just begun.
        onKeyDown={(event) => event.repeat && event.key === 'Enter' && event.preventDefault()}
        onClick={(event) => {
          if (!isBusy) return;
          // It turns back into the one that submits while it is still pressed.
          event.preventDefault();
          onStop();
        }}
      >
        {isBusy ? t`Cancel` : hasPhoto || refusal !== null ? t`Enhance` : t`Choose a photo first`}
      </Button>
      {!isBusy && !isRefusedForRoom(run) && <RunCost {...props} />}
      {uncanceled !== null && (
        <NotCanceled fault={uncanceled} onRetry={(jobId) => withFocus(() => onCancel(jobId))} />
      )}
      {run.phase === 'refused' && <ErrorState error={run.error} onRetry={() => withFocus(onStart)} />}
      {run.phase === 'ended' && run.job.error !== null && <JobFault error={run.job.error} isNew />}
      {run.phase !== 'refused' && <RunProgress run={run} />}
    </Stack>
  );
}

/** The refusal itself says then what is used up. */
function isRefusedForRoom(run: Enhancement): boolean {
  return run.phase === 'refused' && run.error instanceof ApiError && run.error.code === 'quota_exceeded';
}
