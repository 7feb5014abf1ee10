import { Text } from '@mantine/core';

export interface IntakeMessagesProps {
  /** Why a file was rejected. */
  readonly fault: string | null;
  /** What happened to the other files. */
  readonly note: string | null;
}

/** Messages below a photo about the files that were dropped, pasted, or selected. */
export function IntakeMessages({ fault, note }: IntakeMessagesProps) {
  return (
    <>
      {fault !== null && (
        <Text size="sm" mt="xs" c="var(--mantine-color-error)" role="alert">
          {fault}
        </Text>
      )}
      {note !== null && (
        <Text size="sm" mt="xs" c="dimmed" role="status">
          {note}
        </Text>
      )}
    </>
  );
}
