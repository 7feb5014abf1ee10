import { t } from '@lingui/core/macro';
import { Button, Text } from '@mantine/core';
import { IconPhotoPlus } from '@tabler/icons-react';
import { IntakeMessages } from '../../../../components/photo/intake-messages.js';
import { PhotoDrop } from '../../../../components/photo/photo-drop.js';
import { PhotoPreview } from '../../../../components/photo/photo-preview.js';
import { useSample } from '../../../../components/photo/use-sample.js';
import { formatBytes } from '../../../../lib/format.js';
import classes from './compare-versions.module.css';
import type { OnePhoto } from './use-one-photo.js';

export interface PhotoFieldProps {
  readonly intake: OnePhoto;
  readonly isBusy: boolean;
}

/** The photo for the comparison, or the area where it is dropped or selected. */
export function PhotoField({ intake, isBusy }: PhotoFieldProps) {
  const { photo, said, take, remove, refuse, accept } = intake;
  const sample = useSample(take);
  return (
    <div className={classes['photo']}>
      {photo === null ? (
        <PhotoDrop isOne onFiles={take} onSample={sample.load} isSampleLoading={sample.isLoading} />
      ) : (
        <>
          <PhotoPreview
            key={photo.previewUrl}
            url={photo.previewUrl}
            name={photo.name}
            file={photo.file}
            isBusy={isBusy}
            onReadable={accept}
            onUnreadable={() => refuse(photo.name)}
          />
          <div className={classes['file']}>
            <Text size="sm" c="dimmed" truncate>
              {photo.file === null ? photo.name : `${photo.name}, ${formatBytes(photo.file.size)}`}
            </Text>
            <Button
              size="xs"
              variant="default"
              leftSection={<IconPhotoPlus size={14} />}
              disabled={isBusy}
              onClick={() => remove()}
            >
              {t`Choose another photo`}
            </Button>
          </div>
        </>
      )}
      <IntakeMessages {...said} />
    </div>
  );
}
