import { t } from '@lingui/core/macro';
import { type RefObject, useEffect } from 'react';
import { useBlocker } from 'react-router';
import { ConfirmModal } from '../../../components/dialogs/confirm-modal.js';

export interface LeaveGuardProps {
  readonly isOn: boolean;
  /** Whether the page itself navigates away. */
  readonly isLeaving: RefObject<boolean>;
}

/** Asks for confirmation before the user leaves a page with an upload in progress. */
export function LeaveGuard({ isOn, isLeaving }: LeaveGuardProps) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isOn && !isLeaving.current && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (!isOn) return;
    const onLeave = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', onLeave);
    return () => window.removeEventListener('beforeunload', onLeave);
  }, [isOn]);
  if (blocker.state !== 'blocked') return null;
  return (
    <ConfirmModal
      title={t`Stop uploading?`}
      text={t`The batch hasn't been created yet. Uploaded photos stay under Photos.`}
      action={t`Stop and leave`}
      isBusy={false}
      error={null}
      onConfirm={() => blocker.proceed()}
      onClose={() => blocker.reset()}
    />
  );
}
