import { t } from '@lingui/core/macro';
import type { JobError } from 'image-enhancement-client';
import { problemText } from '../../api/problem-texts.js';
import { Notice } from './notice.js';
import { Prose } from '../text/prose.js';

export interface JobFaultProps {
  readonly error: JobError;
  /** Whether the failure is new and must be announced to screen readers. */
  readonly isNew?: boolean;
}

/** Why there is no result, and whether running the job again can help. */
export function JobFault({ error, isNew = false }: JobFaultProps) {
  const isCanceled = error.code === 'canceled';
  return (
    <Notice
      tone={isCanceled ? 'info' : 'bad'}
      title={isCanceled ? t`Canceled` : t`Enhancement failed`}
      {...(isNew && { role: isCanceled ? 'status' : 'alert' })}
    >
      <div>
        <Prose text={problemText(error.code)?.detail ?? error.message} />
      </div>
      {!isCanceled && (
        <div>
          {error.retryable
            ? t`You can try this again.`
            : t`The same photo and settings will fail again. Change one of them first.`}
        </div>
      )}
      {!isCanceled && (
        <div>
          <code>{error.code}</code>
        </div>
      )}
    </Notice>
  );
}
