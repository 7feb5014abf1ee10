import type { JobError } from 'image-enhancement-client';
import { Notice } from './notice.js';
import { Prose } from '../text/prose.js';

export interface JobFaultProps {
  readonly error: JobError;
  /** Whether it has just happened, and is to be announced. */
  readonly isNew?: boolean;
}

/** Why there is no result, and whether the same again can help. */
export function JobFault({ error, isNew = false }: JobFaultProps) {
  const isCanceled = error.code === 'canceled';
  return (
    <Notice
      tone={isCanceled ? 'info' : 'bad'}
      title={isCanceled ? 'Canceled' : 'Enhancement failed'}
      {...(isNew && { role: isCanceled ? 'status' : 'alert' })}
    >
      <div>
        <Prose text={error.message} />
      </div>
      {!isCanceled && (
        <div>
          {error.retryable
            ? 'You can try this again.'
            : 'The same photo and settings will fail again. Change one of them first.'}
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
