import { t } from '@lingui/core/macro';
import { Button, Group, Text, Title } from '@mantine/core';
import { Dropzone, type DropzoneProps } from '@mantine/dropzone';
import '@mantine/dropzone/styles.css';
import { IconPhotoPlus } from '@tabler/icons-react';
import { type MouseEvent, useRef } from 'react';
import classes from './photo-drop.module.css';
import { folderOf } from './dropped-files.js';
import { FolderButton } from './folder-button.js';
import { PHOTO_TYPES } from './photo-file.js';
import type { OnFiles } from './use-photo-intake.js';

export interface PhotoDropProps {
  /** Called with all files that were selected, photos first. `usePhotoIntake` handles those that are dropped. */
  readonly onFiles: OnFiles;
  /** Loads the sample photo, for users without one at hand. */
  readonly onSample: () => void;
  readonly isSampleLoading: boolean;
  /** For a section with its own heading that uses one photo at a time. */
  readonly isOne?: boolean;
}

/** The area where a photo is dropped or selected. */
export function PhotoDrop({ onFiles, onSample, isSampleLoading, isOne = false }: PhotoDropProps) {
  const open = useRef<() => void>(null);
  const choose = (event: MouseEvent) => {
    // Otherwise, the zone around it would open the dialog a second time.
    event.stopPropagation();
    open.current?.();
  };
  return (
    <div>
      <Dropzone
        className={classes['zone'] ?? ''}
        data-photo-drop
        accept={PHOTO_TYPES}
        multiple={!isOne}
        openRef={open}
        activateOnKeyboard={false}
        enablePointerEvents
        tabIndex={-1}
        inputProps={{ 'aria-label': t`Photo` }}
        onDrop={() => undefined}
        getFilesFromEvent={filesOf}
        onDropAny={(photos, others) => {
          const files = [...photos, ...others.map(({ file }) => file)];
          if (files.length > 0) onFiles(files, folderOf(files));
        }}
      >
        <div className={classes['inner']}>
          <IconPhotoPlus size={40} stroke={1.3} aria-hidden />
          <Title order={isOne ? 3 : 2}>
            {isOne ? t`Drop a photo here` : t`Drop photos or a folder here`}
          </Title>
          <Text size="sm" c="dimmed">
            {isOne
              ? t`JPEG, PNG, WebP or AVIF, up to 20 MB. You can also paste it.`
              : t`JPEG, PNG, WebP or AVIF, up to 20 MB each. You can also paste them.`}
          </Text>
          <Group gap="xs" mt="sm" justify="center">
            <Button variant="default" onClick={choose}>
              {isOne ? t`Choose a photo` : t`Choose photos`}
            </Button>
            {!isOne && <FolderButton onFiles={onFiles} />}
          </Group>
        </div>
      </Dropzone>
      <div className={classes['below']}>
        <Text size="sm" c="dimmed">
          {t`No photo handy?`}
        </Text>
        <Button variant="default" size="xs" loading={isSampleLoading} onClick={onSample}>
          {t`Use the sample photo`}
        </Button>
      </div>
    </div>
  );
}

type FilesOf = NonNullable<DropzoneProps['getFilesFromEvent']>;

/** The files that were selected, or the types of dragged files. None for a drop, which `usePhotoIntake` handles. */
const filesOf: FilesOf = (event) => {
  if (Array.isArray(event)) return Promise.resolve([]);
  if ('dataTransfer' in event)
    return Promise.resolve(event.type === 'drop' ? [] : [...(event.dataTransfer?.items ?? [])]);
  return Promise.resolve(event.target instanceof HTMLInputElement ? [...(event.target.files ?? [])] : []);
};
