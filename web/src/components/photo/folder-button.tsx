import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { IconFolder } from '@tabler/icons-react';
import { useRef } from 'react';
import { folderOf } from './dropped-files.js';
import type { OnFiles } from './use-photo-intake.js';

export interface FolderButtonProps {
  readonly onFiles: OnFiles;
}

/** Chooses every photo in a folder, where the browser can; phones have no folders to choose. */
export function FolderButton({ onFiles }: FolderButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  if (!('webkitdirectory' in HTMLInputElement.prototype)) return null;
  return (
    <>
      <input
        ref={(element) => {
          input.current = element;
          // React knows no such attribute.
          element?.setAttribute('webkitdirectory', '');
        }}
        type="file"
        hidden
        aria-label={t`Folder`}
        onClick={(event) => event.stopPropagation()}
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])];
          event.currentTarget.value = '';
          if (files.length > 0) onFiles(files, folderOf(files));
        }}
      />
      <Button
        variant="default"
        leftSection={<IconFolder size={16} />}
        onClick={(event) => {
          // The zone around it would open its own dialog.
          event.stopPropagation();
          input.current?.click();
        }}
      >
        {t`Choose a folder`}
      </Button>
    </>
  );
}
