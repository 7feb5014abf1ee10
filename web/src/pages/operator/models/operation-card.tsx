import { plural, t } from '@lingui/core/macro';
import { Paper, Title } from '@mantine/core';
import type { ConsoleOperation, ConsoleVersion } from '../../../api/operator/schema.js';
import { StatusBadge, type Tone } from '../../../components/status/status-badge.js';
import { operationLabel } from '../../../lib/format.js';
import classes from './models-page.module.css';

const STATES: Readonly<Record<ConsoleVersion['state'], { readonly tone: Tone; readonly label: string }>> = {
  serving: { tone: 'good', label: t`Serving` },
  loaded: { tone: 'calm', label: t`For promised jobs` },
  refused: { tone: 'bad', label: t`Refused` },
  idle: { tone: 'calm', label: t`Not loaded` },
};

export interface OperationCardProps {
  readonly operation: ConsoleOperation;
}

/** One operation with all its versions, the highest first. */
export function OperationCard({ operation: { operation, versions } }: OperationCardProps) {
  return (
    <Paper withBorder component="section" aria-labelledby={`models-${operation}`} className={classes['card']}>
      <Title order={2} id={`models-${operation}`} className={classes['title']}>
        {operationLabel(operation)}
      </Title>
      <ul className={classes['versions']}>
        {versions.map((version) => (
          <VersionRow key={version.version} version={version} />
        ))}
      </ul>
    </Paper>
  );
}

function VersionRow({
  version: { version, state, model, sha256, workers, reasons },
}: {
  readonly version: ConsoleVersion;
}) {
  return (
    <li>
      <div className={classes['name']}>
        <span>{t`Version ${version}`}</span>
        {model !== null && (
          <span className={classes['model']}>{[model, sha256?.slice(0, 12) ?? []].flat().join(' · ')}</span>
        )}
      </div>
      <span className={classes['workers']} title={workers.join(', ')}>
        {plural(workers.length, { 0: 'No worker', one: '# worker', other: '# workers' })}
      </span>
      <StatusBadge {...STATES[state]} />
      {reasons.map((reason) => (
        <p key={reason} className={classes['reason']}>
          {reason}
        </p>
      ))}
    </li>
  );
}
