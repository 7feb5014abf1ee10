import { t } from '@lingui/core/macro';
import { Button, Stack } from '@mantine/core';
import { useRef } from 'react';
import { ApiError } from 'image-enhancement-client';
import { problemOf } from '../../../api/problem.js';
import { ErrorState } from '../../../components/notices/error-state.js';
import { JobFault } from '../../../components/notices/job-fault.js';
import { type Enhancement, isRunning, type Uncanceled } from './enhancement-state.js';
import { NotCanceled } from './not-canceled.js';
import { RunCost, type RunCostProps } from './run-cost.js';
import { RunProgress } from './run-progress.js';
import type { Estimate } from './use-estimate.js';

export interface RunControlsProps extends RunCostProps {
  readonly run: Enhancement;
  readonly hasPhoto: boolean;
  /** Whether the photo is ready to be enhanced. */
  readonly isReady: boolean;
  readonly onStart: () => void;
  readonly onStop: () => void;
  /** A job that Cancel failed to cancel, which can be retried. */
  readonly uncanceled: Uncanceled | null;
  readonly onCancel: (jobId: string) => void;
}

/** Starts and cancels a run, and shows its progress. */
export function RunControls(props: RunControlsProps) {
  const { run, hasPhoto, onStart, onStop, uncanceled, onCancel } = props;
  const { refusal } = props.allowance;
  const isBusy = isRunning(run);
  const button = useRef<HTMLButtonElement>(null);
  /** Moves the focus, because the button of an error disappears with the error. */
  const withFocus = (act: () => void) => {
    button.current?.focus();
    act();
  };
  return (
    <Stack gap="lg">
      {/* A single button, so that it keeps the focus when a run begins and ends. */}
      <Button
        ref={button}
        type={isBusy ? 'button' : 'submit'}
        variant={isBusy ? 'default' : 'filled'}
        size="md"
        fullWidth
        disabled={!isBusy && !(props.isReady && refusal === null)}
        // Otherwise, holding down the key would cancel the run that it has just started.
        onKeyDown={(event) => event.repeat && event.key === 'Enter' && event.preventDefault()}
        onClick={(event) => {
          // The second click of a double click would undo the first.
          if (event.detail > 1) return event.preventDefault();
          if (!isBusy) return;
          // The button becomes a submit button again while it is still pressed.
          event.preventDefault();
          onStop();
        }}
      >
        {isBusy ? t`Cancel` : hasPhoto || refusal !== null ? t`Enhance` : t`Choose a photo first`}
      </Button>
      {!isBusy && !isRefusedForRoom(run) && <RunCost {...props} estimate={unsaid(props.estimate, run)} />}
      {uncanceled !== null && (
        <NotCanceled fault={uncanceled} onRetry={(jobId) => withFocus(() => onCancel(jobId))} />
      )}
      {run.phase === 'refused' && (
        <ErrorState
          error={run.error}
          takesFocus
          onRetry={isPhotoRefused(run.error) ? undefined : () => withFocus(onStart)}
        />
      )}
      {run.phase === 'ended' && run.job.error !== null && <JobFault error={run.job.error} isNew />}
      {run.phase !== 'refused' && <RunProgress run={run} />}
    </Stack>
  );
}

const PHOTO_STATUSES: ReadonlySet<number> = new Set([413, 415, 422]);

/** Whether only another photo can help. */
function isPhotoRefused(error: Error): boolean {
  return error instanceof ApiError && PHOTO_STATUSES.has(error.status);
}

/** In this case, the error message already says what is used up. */
function isRefusedForRoom(run: Enhancement): boolean {
  return run.phase === 'refused' && run.error instanceof ApiError && run.error.code === 'quota_exceeded';
}

/** The estimate, without an error that the run already shows: the rate limit, for example, refuses both. */
function unsaid(estimate: Estimate, run: Enhancement): Estimate {
  if (run.phase !== 'refused' || estimate.error === null) return estimate;
  const isShown = problemOf(estimate.error).detail === problemOf(run.error).detail;
  return isShown ? { ...estimate, error: null } : estimate;
}
