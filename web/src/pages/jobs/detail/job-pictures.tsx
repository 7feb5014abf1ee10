import { t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import { useState } from 'react';
import { isErasedOnceRead, isReframed } from '../../../api/jobs/job.js';
import type { SessionJob } from '../../../api/schema.js';
import { Compare } from '../../../components/compare/compare.js';
import { localPath } from '../../../lib/file-path.js';
import { usePicture } from '../../../lib/use-picture.js';
import { jobLabel } from '../../../lib/steps-text.js';
import classes from './job-pictures.module.css';

export interface JobPicturesProps {
  readonly job: SessionJob;
  /** Whether its result still exists. */
  readonly isKept: boolean;
}

/** Before and after, or only before while there is no result. */
export function JobPictures({ job, isKept }: JobPicturesProps) {
  const alt = jobLabel(job.operations);
  const [isSourceMissing, setIsSourceMissing] = useState(false);
  if (isKept && isErasedOnceRead(job)) return <Preview url={job.thumbnailUrl} alt={alt} />;
  if (isKept && job.resultUrl !== undefined && isSourceMissing)
    return (
      <figure className={classes['root']}>
        <img src={localPath(job.resultUrl)} alt={t`Result of ${alt}`} />
        <Text component="figcaption" size="xs" c="dimmed" mt={6}>
          {t`The result. The photo can't be shown: it may have been deleted.`}
        </Text>
      </figure>
    );
  if (isKept && job.resultUrl !== undefined && job.result !== undefined)
    return (
      <Compare
        beforeUrl={localPath(job.sourceUrl)}
        afterUrl={localPath(job.resultUrl)}
        onBeforeMissing={() => setIsSourceMissing(true)}
        size={job.result}
        alt={alt}
        isApart={isReframed(job)}
        isSmall
      />
    );
  const isOver = job.result !== undefined;
  return (
    <>
      {isOver && (
        <Text size="sm" c="dimmed">
          {t`The result was deleted, or has expired.`}
        </Text>
      )}
      {/* Without a result, the thumbnail is that of the source. */}
      {job.thumbnailUrl !== null && <Source url={job.sourceUrl} alt={alt} />}
    </>
  );
}

function Source({ url, alt }: { readonly url: string; readonly alt: string }) {
  return (
    <figure className={classes['root']}>
      <img src={localPath(url)} alt={t`Source of ${alt}`} />
      <Text component="figcaption" size="xs" c="dimmed" mt={6}>
        {t`The source`}
      </Text>
    </figure>
  );
}

/** The thumbnail in place of a result that the page must not read. */
function Preview({ url, alt }: { readonly url: string | null; readonly alt: string }) {
  const { attempt, ref, isGone, onError } = usePicture(url);
  return (
    <figure className={classes['root']}>
      {url !== null && !isGone && (
        <img key={attempt} ref={ref} src={localPath(url)} alt={t`Preview of ${alt}`} onError={onError} />
      )}
      <Text component="figcaption" size="xs" c="dimmed" mt={6}>
        {t`This is a small preview. The result is deleted once it has been downloaded, so it isn't shown here.`}
      </Text>
    </figure>
  );
}
