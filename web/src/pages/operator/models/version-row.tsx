import { plural, t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import type { ConsoleVersion } from '../../../api/operator/schema.js';
import { StatusBadge, type Tone } from '../../../components/status/status-badge.js';
import classes from './models-page.module.css';

const STATES: Readonly<Record<ConsoleVersion['state'], { readonly tone: Tone; readonly label: string }>> = {
  serving: { tone: 'good', label: t`Serving` },
  canary: { tone: 'good', label: t`Canary` },
  shadow: { tone: 'calm', label: t`Shadow run` },
  loaded: { tone: 'calm', label: t`For assigned jobs` },
  refused: { tone: 'bad', label: t`Refused` },
  idle: { tone: 'calm', label: t`Not loaded` },
};

export interface VersionRowProps {
  readonly version: ConsoleVersion;
  /** Whether it serves, or is about to. */
  readonly isCurrent: boolean;
  readonly onServe: () => void;
  /** Undefined while it cannot become the canary or the shadow. */
  readonly onCandidate?: ((role: 'canary' | 'shadow') => void) | undefined;
}

/** One version of an operation. */
export function VersionRow({ version: one, isCurrent, onServe, onCandidate }: VersionRowProps) {
  const { version, state, model, sha256, canServe, workers, reasons } = one;
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
      <div className={classes['actions']}>
        {canServe && !isCurrent && onCandidate !== undefined && (
          <>
            <Button
              size="xs"
              variant="default"
              aria-label={t`Shadow run with version ${version}`}
              onClick={() => onCandidate('shadow')}
            >
              {t`Shadow run`}
            </Button>
            <Button
              size="xs"
              variant="default"
              aria-label={t`Canary with version ${version}`}
              onClick={() => onCandidate('canary')}
            >
              {t`Canary`}
            </Button>
          </>
        )}
        {canServe && !isCurrent && (
          <Button size="xs" variant="default" aria-label={t`Serve version ${version}`} onClick={onServe}>
            {t`Serve`}
          </Button>
        )}
      </div>
      {reasons.map((reason) => (
        <p key={reason} className={classes['reason']}>
          {reason}
        </p>
      ))}
    </li>
  );
}
