import { Text } from '@mantine/core';

export interface IntakeMessagesProps {
  /** Why a file was not taken. */
  readonly fault: string | null;
  /** What became of the other files. */
  readonly note: string | null;
}

/** What is said below a photo about the files that were dropped, pasted or chosen. */
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
