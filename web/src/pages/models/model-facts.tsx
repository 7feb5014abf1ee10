import type { ReactNode } from 'react';
import type { Model, ModelHealth } from '../../api/schema.js';
import { RelativeTime } from '../../components/times/relative-time.js';
import { formatDuration } from '../../lib/format.js';
import classes from './model-facts.module.css';
import { workersOf } from './workers-of.js';

export interface ModelFactsProps {
  readonly served: Model;
  readonly health: ModelHealth | undefined;
}

/** Name, version, origin, device, and how the last jobs went. */
export function ModelFacts({ served, health }: ModelFactsProps) {
  return (
    <dl className={classes['root']}>
      {factsOf(served, health).map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function factsOf(served: Model, health: ModelHealth | undefined): readonly (readonly [string, ReactNode])[] {
  const { model, recent } = served;
  const devices = health === undefined ? [] : workersOf(served, health).map(({ device }) => device);
  const device = [...new Set(devices)].join(', ') || recent.device;
  const count = recent.completed + recent.failed;
  return [
    ['Model', `${model.name}, version ${model.version}`],
    ['Engine', served.engine],
    ['Device', device ?? '–'],
    ['Workers', health === undefined ? '–' : devices.length],
    ['License', served.licence],
    ['Your recent jobs', count === 0 ? 'None yet' : `${recent.completed} completed, ${recent.failed} failed`],
    ['Inference, median', recent.inferenceMsMedian === null ? '–' : formatDuration(recent.inferenceMsMedian)],
    ['Last job', recent.lastAt === null ? '–' : <RelativeTime key="last" iso={recent.lastAt} />],
  ];
}
