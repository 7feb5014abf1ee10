import { t } from '@lingui/core/macro';
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

/** Name, version, origin, device, and statistics of the latest jobs. */
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
    [t`Model`, t`${model.name}, version ${model.version}`],
    [t`Engine`, served.engine],
    [t`Device`, device ?? '–'],
    [t`Workers`, health === undefined ? '–' : devices.length],
    [t`License`, served.license],
    [
      t`Your recent jobs`,
      count === 0 ? t`None yet` : t`${recent.completed} completed, ${recent.failed} failed`,
    ],
    [
      t`Inference, median`,
      recent.inferenceMsMedian === null ? '–' : formatDuration(recent.inferenceMsMedian),
    ],
    [t`Last job`, recent.lastAt === null ? '–' : <RelativeTime key="last" iso={recent.lastAt} />],
  ];
}
