import { useEffect } from 'react';
import { useBlocker } from 'react-router';
import { ConfirmModal } from './confirm-modal.js';

export interface LeaveGuardProps {
  readonly isOn: boolean;
  /**
   * Whether a request is under way that goes on when another page of the dashboard is opened, but not when the browser
   * leaves or reloads it. Then only the browser asks.
   */
  readonly isSending?: boolean;
  readonly title: string;
  /** What leaving discards. */
  readonly text: string;
  /** The label of the button that leaves. */
  readonly action: string;
}

/** Asks for confirmation before the user leaves a page with unsaved work. */
export function LeaveGuard({ isOn, isSending = false, title, text, action }: LeaveGuardProps) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isOn && currentLocation.pathname !== nextLocation.pathname,
  );
  const isBlocked = blocker.state === 'blocked';
  const asksInBrowser = isOn || isSending;
  useEffect(() => {
    if (!asksInBrowser) return;
    const onLeave = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', onLeave);
    return () => window.removeEventListener('beforeunload', onLeave);
  }, [asksInBrowser]);
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
