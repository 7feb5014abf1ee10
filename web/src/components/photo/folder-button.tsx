import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { IconFolder } from '@tabler/icons-react';
import { useRef } from 'react';
import { byPath, folderOf } from './dropped-files.js';
import type { OnFiles } from './use-photo-intake.js';

export interface FolderButtonProps {
  readonly onFiles: OnFiles;
}

/** Selects every photo in a folder, if the browser supports it. Phones do not. */
export function FolderButton({ onFiles }: FolderButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  if (!('webkitdirectory' in HTMLInputElement.prototype)) return null;
  return (
    <>
      <input
        ref={(element) => {
          input.current = element;
          // React does not support this attribute.
          element?.setAttribute('webkitdirectory', '');
        }}
        type="file"
        hidden
        aria-label={t`Folder`}
        onClick={(event) => event.stopPropagation()}
        onChange={(event) => {
          const files = byPath([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = '';
          if (files.length > 0) onFiles(files, folderOf(files));
        }}
      />
      <Button
        variant="default"
        leftSection={<IconFolder size={16} />}
        onClick={(event) => {
          // Otherwise, the drop zone around it would open its own dialog.
          event.stopPropagation();
          input.current?.click();
        }}
      >
        {t`Choose a folder`}
      </Button>
    </>
  );
}
