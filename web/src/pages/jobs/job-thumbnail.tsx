import { IconPhotoOff } from '@tabler/icons-react';
import { useState } from 'react';
import { localPath } from '../../lib/file-path.js';
import { usePicture } from '../../lib/use-picture.js';
import classes from './job-thumbnail.module.css';

const SIZE = 44;

export interface JobThumbnailProps {
  readonly url: string | null;
  readonly isPassing: boolean;
}

/** The result, or the source while there is no result, or an icon if the pixels no longer exist. */
export function JobThumbnail({ url, isPassing }: JobThumbnailProps) {
  // Once shown, a picture stays, so that it does not disappear when the list starts to scroll fast.
  const [isShown, setIsShown] = useState(!isPassing);
  const { attempt, ref, isGone, onError } = usePicture(url);
  if (!isPassing && !isShown) setIsShown(true);
  if (url === null || isGone)
    return (
      <span className={classes['root']} aria-hidden>
        <IconPhotoOff size={18} stroke={1.5} />
      </span>
    );
  if (!isShown) return <span className={classes['root']} />;
  return (
    <img
      key={attempt}
      ref={ref}
      className={classes['root']}
      src={localPath(url)}
      alt=""
      width={SIZE}
      height={SIZE}
      fetchPriority="low"
      decoding="async"
      onError={onError}
    />
  );
}
