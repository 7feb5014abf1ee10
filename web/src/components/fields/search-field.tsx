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

/** Searches when the user has stopped typing. */
export function SearchField({ value, onSearch, ...input }: SearchFieldProps) {
  const [text, setText] = useState(value);
  const [applied, setApplied] = useState(value);
  const [sent, setSent] = useState(value);
  if (value !== applied) {
    setApplied(value);
    // The search was cleared or the URL changed. A value that was typed here must not overwrite newer input.
    if (value !== sent) {
      setSent(value);
      setText(value);
    }
  }
  // Takes no argument, because the content of the field may have changed by then.
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
