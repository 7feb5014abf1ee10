import { t } from '@lingui/core/macro';
import { Button, type ButtonProps } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { copyText } from '../../lib/copy-text.js';

const SHOWN_MS = 2_000;

export interface CopyButtonProps extends Pick<ButtonProps, 'variant' | 'size'> {
  readonly text: string;
  /** Label for screen readers that names the text: "Copy key". */
  readonly label: string;
}

/** Confirms the copy visually and to screen readers, without changing its width. */
export function CopyButton({ text, label, variant = 'default', size = 'xs' }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'copied' | 'failed' | null>(null);
  useEffect(() => {
    if (outcome === null) return;
    const timer = setTimeout(() => setOutcome(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const said = outcome === 'copied' ? t`Copied` : outcome === 'failed' ? t`Select it` : t`Copy`;
  return (
    <Button
      variant={variant}
      size={size}
      miw={96}
      leftSection={outcome === 'copied' ? <IconCheck size={14} /> : <IconCopy size={14} />}
      aria-label={outcome === null ? label : `${label}: ${said}`}
      aria-live="polite"
      onClick={() => void copyText(text).then((isCopied) => setOutcome(isCopied ? 'copied' : 'failed'))}
    >
      {said}
    </Button>
  );
}
