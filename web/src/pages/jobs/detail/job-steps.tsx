import { t } from '@lingui/core/macro';
import { Title } from '@mantine/core';
import type { JobOperation } from 'image-enhancement-client';
import { OperationIcon } from '../../../components/status/operation-icon.js';
import { formatDuration, operationLabel } from '../../../lib/format.js';
import { stepOptions } from '../../../lib/steps-text.js';
import classes from './job-steps.module.css';

export interface JobStepsProps {
  readonly steps: readonly JobOperation[];
}

/** The operations of a chain in order, each with its model, and with its duration once the job has completed. */
export function JobSteps({ steps }: JobStepsProps) {
  if (steps.length < 2) return null;
  return (
    <section aria-labelledby="job-steps">
      <Title order={3} id="job-steps" mb="xs">
        {t`Steps`}
      </Title>
      <ol className={classes['list']}>
        {steps.map((step, index) => (
          // eslint-disable-next-line react/no-array-index-key -- the steps of a job never change their order
          <li key={index} className={classes['step']}>
            <span className={classes['number']} aria-hidden>
              {index + 1}
            </span>
            <OperationIcon operation={step.operation} size={18} />
            <span className={classes['what']}>
              <span className={classes['name']}>{operationLabel(step.operation)}</span>
              <span className={classes['options']}>
                {stepOptions(step)}
                {step.model !== null && t` · ${step.model.name}, version ${step.model.version}`}
              </span>
            </span>
            <span className={classes['time']}>
              {step.timings === null ? '' : formatDuration(step.timings.inferenceMs)}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
