import { Button, Group, Text } from '@mantine/core';
import { IconDownload, IconPhotoPlus } from '@tabler/icons-react';
import type { Job } from 'image-enhancement-client';
import { Compare } from '../../components/compare/compare.js';
import { fileName, localPath } from '../../lib/file-path.js';
import { formatBytes, operationLabel } from '../../lib/format.js';
import { type Enhancement, isRunning, type Photo } from './enhancement-state.js';
import { PhotoPreview } from './photo-preview.js';
import classes from './stage.module.css';

export interface StageProps {
  readonly photo: Photo;
  readonly run: Enhancement;
  /** The result that is compared; null while there is none. */
  readonly shown: Job | null;
  readonly onOther: () => void;
}

/** The photo, and its comparison once there is a result. */
export function Stage({ photo, run, shown, onOther }: StageProps) {
  const other = (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconPhotoPlus size={14} />}
      onClick={onOther}
      disabled={isRunning(run)}
    >
      Other photo
    </Button>
  );
  if (shown?.resultUrl !== undefined && shown.result !== undefined)
    return (
      <Compare
        beforeUrl={photo.previewUrl}
        afterUrl={localPath(shown.resultUrl)}
        size={shown.result}
        alt={`${photo.file.name}, ${operationLabel(shown.operation)}, ${shown.level}`}
        actions={
          <>
            {other}
            <Button
              component="a"
              size="xs"
              href={localPath(shown.resultUrl)}
              download={fileName(shown.id, shown.result.format)}
              leftSection={<IconDownload size={14} />}
            >
              Download {formatBytes(shown.result.bytes)}
            </Button>
          </>
        }
      />
    );
  return (
    <div>
      <Group justify="space-between" gap="sm" mb="sm" className={classes['bar'] ?? ''}>
        <Text size="sm" c="dimmed" truncate>
          {photo.file.name}, {formatBytes(photo.file.size)}
        </Text>
        {other}
      </Group>
      <PhotoPreview url={photo.previewUrl} name={photo.file.name} isBusy={isRunning(run)} />
    </div>
  );
}
