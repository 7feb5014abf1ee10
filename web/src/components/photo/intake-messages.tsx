import { Text } from '@mantine/core';
import { useEffect, useRef } from 'react';

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
      {fault !== null && <Rejection key={fault} reason={fault} />}
      {note !== null && (
        <Text size="sm" mt="xs" c="dimmed" role="status">
          {note}
        </Text>
      )}
    </>
  );
}

/** Scrolls into view, because the area above it is almost as high as the window. */
function Rejection({ reason }: { readonly reason: string }) {
  const root = useRef<HTMLParagraphElement>(null);
  useEffect(() => root.current?.scrollIntoView({ block: 'nearest' }), []);
  return (
    <Text
      ref={root}
      size="sm"
      mt="xs"
      c="var(--mantine-color-error)"
      role="alert"
      style={{ scrollMargin: 16 }}
    >
      {reason}
    </Text>
  );
}
