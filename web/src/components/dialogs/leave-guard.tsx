import { useEffect } from 'react';
import { useBlocker } from 'react-router';
import { ConfirmModal } from './confirm-modal.js';

export interface LeaveGuardProps {
  readonly isOn: boolean;
  readonly title: string;
  /** What leaving discards. */
  readonly text: string;
  /** The label of the button that leaves. */
  readonly action: string;
}

/** Asks for confirmation before the user leaves a page with unsaved work. */
export function LeaveGuard({ isOn, title, text, action }: LeaveGuardProps) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isOn && currentLocation.pathname !== nextLocation.pathname,
  );
  const isBlocked = blocker.state === 'blocked';
  useEffect(() => {
    if (!isOn) return;
    const onLeave = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', onLeave);
    return () => window.removeEventListener('beforeunload', onLeave);
  }, [isOn]);
  useEffect(() => {
    // The work was saved while the question was open.
    if (!isOn && isBlocked) blocker.reset();
  }, [blocker, isBlocked, isOn]);
  if (!isOn || !isBlocked) return null;
  return (
    <ConfirmModal
      title={title}
      text={text}
      action={action}
      isBusy={false}
      error={null}
      onConfirm={() => blocker.proceed()}
      onClose={() => blocker.reset()}
    />
  );
}
