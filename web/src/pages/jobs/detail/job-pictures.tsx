import { t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import type { Job } from 'image-enhancement-client';
import { Compare } from '../../../components/compare/compare.js';
import { localPath } from '../../../lib/file-path.js';
import { jobLabel } from '../../../lib/steps-text.js';
import classes from './job-pictures.module.css';

export interface JobPicturesProps {
  readonly job: Job;
}

/** Before and after, or only before while there is no result. */
export function JobPictures({ job }: JobPicturesProps) {
  const alt = jobLabel(job.operations);
  if (job.resultUrl !== undefined && job.result !== undefined)
    return (
      <Compare
        beforeUrl={localPath(job.sourceUrl)}
        afterUrl={localPath(job.resultUrl)}
        size={job.result}
        alt={alt}
        isSmall
      />
    );
  return (
    <figure className={classes['root']}>
      <img src={localPath(job.sourceUrl)} alt={t`Source of ${alt}`} />
      <Text component="figcaption" size="xs" c="dimmed" mt={6}>
        {t`The source`}
      </Text>
    </figure>
  );
}
