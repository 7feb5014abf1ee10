import { Group } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { CopyButton } from './copy-button.js';
import classes from './copy-box.module.css';

export interface CopyBoxProps {
  readonly text: string;
  /** The label of the button. */
  readonly label: string;
  readonly testId: string;
}

/**
 * Text with a copy button. The button takes the focus if the form that created the text has disappeared with it:
 * otherwise, nothing in the dialog would have the focus, and screen readers would not read the text.
 */
export function CopyBox({ text, label, testId }: CopyBoxProps) {
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) root.current?.querySelector('button')?.focus();
  }, []);
  return (
    <Group ref={root} gap="sm" wrap="nowrap" className={classes['root']}>
      <code className={classes['text']} data-testid={testId}>
        {text}
      </code>
      <CopyButton text={text} label={label} variant="filled" />
    </Group>
  );
}
