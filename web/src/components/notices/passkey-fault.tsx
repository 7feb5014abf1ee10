import { t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import { ErrorState } from './error-state.js';
import { Notice } from './notice.js';

export interface PasskeyFaultProps {
  readonly error: Error | null;
  /** Whether to move the focus to the message, see `Notice`. */
  readonly takesFocus?: boolean;
}

/** Why a passkey was not used: an error of the browser or the device, or the service's response. */
export function PasskeyFault({ error, takesFocus = false }: PasskeyFaultProps) {
  if (error === null) return null;
  const fault = browserFault(error);
  if (fault === undefined) return <ErrorState error={error} takesFocus={takesFocus} />;
  return (
    <Notice tone="warn" role="alert" takesFocus={takesFocus}>
      <Text size="sm">{fault}</Text>
    </Notice>
  );
}

function browserFault(error: Error): string | undefined {
  const names = new Set([error.name, error.cause instanceof Error ? error.cause.name : '']);
  if (names.has('InvalidStateError')) return t`This device already has a passkey for your account.`;
  if (names.has('NotAllowedError')) return t`The passkey request was canceled or timed out.`;
  if (names.has('SecurityError')) return t`Passkeys work only over HTTPS or on localhost.`;
  return undefined;
}
