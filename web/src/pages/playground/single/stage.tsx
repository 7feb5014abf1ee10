import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Text } from '@mantine/core';
import { IconDownload, IconPhotoPlus } from '@tabler/icons-react';
import type { Job } from 'image-enhancement-client';
import { downloadPath } from '../../../api/jobs/download-path.js';
import { isReframed } from '../../../api/jobs/job.js';
import { Compare } from '../../../components/compare/compare.js';
import { PhotoPreview } from '../../../components/photo/photo-preview.js';
import type { PhotoSize } from '../../../components/photo/photo-size.js';
import type { Photo } from '../../../components/photo/use-photo.js';
import { localPath } from '../../../lib/file-path.js';
import { formatBytes } from '../../../lib/format.js';
import { jobLabel } from '../../../lib/steps-text.js';
import { type Enhancement, isRunning } from '../run/enhancement-state.js';
import classes from './stage.module.css';

export interface StageProps {
  readonly photo: Photo;
  readonly run: Enhancement;
  /** The result in the comparison; null while there is none. */
  readonly shown: Job | null;
  readonly onOther: () => void;
  readonly onReadable: (photo: Photo, size: PhotoSize) => void;
  readonly onUnreadable: (photo: Photo) => void;
}

/** The photo, or the comparison once there is a result. */
export function Stage({ photo, run, shown, onOther, onReadable, onUnreadable }: StageProps) {
  const other = (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconPhotoPlus size={14} />}
      onClick={onOther}
      disabled={isRunning(run)}
    >
      {t`Choose another photo`}
    </Button>
  );
  if (shown?.resultUrl !== undefined && shown.result !== undefined) {
    const made = jobLabel(shown.operations);
    return (
      <Compare
        key={shown.id}
        beforeUrl={photo.previewUrl}
        afterUrl={localPath(shown.resultUrl)}
        size={shown.result}
        label={made}
        alt={`${photo.name}, ${made}`}
        isApart={isReframed(shown)}
        actions={
          <>
            {other}
            <Button
              component="a"
              size="xs"
              href={downloadPath(shown.id)}
              download
              leftSection={<IconDownload size={14} />}
            >
              <Trans>Download {formatBytes(shown.result.bytes)}</Trans>
            </Button>
          </>
        }
      />
    );
  }
  return (
    <div>
      <Group justify="space-between" gap="sm" mb="sm" className={classes['bar'] ?? ''}>
        <Text size="sm" c="dimmed" truncate>
          {photo.file === null ? photo.name : `${photo.name}, ${formatBytes(photo.file.size)}`}
        </Text>
        {other}
      </Group>
      <PhotoPreview
        key={photo.previewUrl}
        url={photo.previewUrl}
        name={photo.name}
        file={photo.file}
        isBusy={isRunning(run)}
        onReadable={(size) => onReadable(photo, size)}
        onUnreadable={() => onUnreadable(photo)}
      />
    </div>
  );
}
