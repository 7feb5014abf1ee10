import { TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';

const TYPING_MS = 300;

export interface SearchFieldProps extends Omit<TextInputProps, 'type' | 'value' | 'onChange'> {
  /** The search that is applied. */
  readonly value: string;
  readonly onSearch: (text: string) => void;
}

/** Searches when somebody has stopped typing. */
export function SearchField({ value, onSearch, ...input }: SearchFieldProps) {
  const [text, setText] = useState(value);
  const [applied, setApplied] = useState(value);
  const [sent, setSent] = useState(value);
  if (value !== applied) {
    setApplied(value);
    // Cleared, or another address. When it is what was typed here, more may have been typed since.
    if (value !== sent) {
      setSent(value);
      setText(value);
    }
  }
  // Without an argument: what is in the field by then may have been cleared.
  const search = useDebouncedCallback(() => {
    const next = text.replaceAll(/\p{Cc}/gu, '').trim();
    setSent(next);
    onSearch(next);
  }, TYPING_MS);
  return (
    <TextInput
      {...input}
      type="search"
      leftSection={<IconSearch size={16} stroke={1.7} aria-hidden />}
      autoComplete="off"
      spellCheck={false}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        search();
      }}
    />
  );
}
