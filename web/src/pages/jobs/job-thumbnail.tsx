import { IconPhotoOff } from '@tabler/icons-react';
import { useState } from 'react';
import type { JobItem } from '../../api/jobs.js';
import { localPath } from '../../lib/file-path.js';
import classes from './job-thumbnail.module.css';

const SIZE = 44;

export interface JobThumbnailProps {
  readonly job: JobItem;
}

/** The result, or the source while there is none; a sign where the pixels are gone. */
export function JobThumbnail({ job }: JobThumbnailProps) {
  const [isGone, setIsGone] = useState(false);
  if (isGone || job.thumbnailUrl === null)
    return (
      <span className={classes['root']} aria-hidden>
        <IconPhotoOff size={18} stroke={1.5} />
      </span>
    );
  return (
    <img
      className={classes['root']}
      src={localPath(job.thumbnailUrl)}
      alt=""
      width={SIZE}
      height={SIZE}
      loading="lazy"
      decoding="async"
      onError={() => setIsGone(true)}
    />
  );
}
