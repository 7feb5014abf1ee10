import { t } from '@lingui/core/macro';
import { Button, Group, Paper, Title } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { useChooseVersion } from '../../../api/operator/models.js';
import type { ConsoleOperation } from '../../../api/operator/schema.js';
import { ConfirmModal } from '../../../components/dialogs/confirm-modal.js';
import { ErrorState } from '../../../components/notices/error-state.js';
import { operationLabel } from '../../../lib/format.js';
import { CanaryForm } from './canary-form.js';
import { CanaryPanel } from './canary-panel.js';
import { ChoiceNotice } from './choice-notice.js';
import { comparableVersions } from './compare/comparable-versions.js';
import { ShadowForm } from './shadow-form.js';
import { ShadowPanel } from './shadow-panel.js';
import { VersionRow } from './version-row.js';
import classes from './models-page.module.css';

export interface OperationCardProps {
  readonly operation: ConsoleOperation;
}

/** The version that must be confirmed before it serves; null for the highest one. */
type Question = { readonly version: number | null };

/** A version that is about to become the canary or the shadow. */
type Candidate = { readonly version: number; readonly role: 'canary' | 'shadow' };

/** One operation with all its versions, highest first, and the serving one. */
export function OperationCard({ operation: one }: OperationCardProps) {
  const { operation, offered, chosen, rollBackTo, canary, shadow, versions } = one;
  const choose = useChooseVersion(operation);
  const [candidate, setCandidate] = useState<Candidate | null>(null);
  const [question, setQuestion] = useState<Question | null>(null);
  const close = () => {
    setQuestion(null);
    choose.reset();
  };
  const current = chosen ?? offered;
  return (
    <Paper withBorder component="section" aria-labelledby={`models-${operation}`} className={classes['card']}>
      <Group justify="space-between" gap="xs" align="flex-start">
        <div>
          <Title order={2} id={`models-${operation}`} className={classes['title']}>
            {operationLabel(operation)}
          </Title>
          <p className={classes['choice']}>
            {chosen === null
              ? t`The highest valid version serves.`
              : t`Version ${chosen} was chosen to serve.`}
          </p>
        </div>
        <Group gap="xs">
          {comparableVersions(one).length > 1 && (
            <Button
              component={Link}
              to={`/operator/models/${operation}/compare`}
              size="xs"
              variant="default"
              aria-label={t`Compare versions: ${operationLabel(operation)}`}
            >
              {t`Compare versions`}
            </Button>
          )}
          {chosen !== null && (
            <Button size="xs" variant="default" onClick={() => setQuestion({ version: null })}>
              {t`Serve the highest`}
            </Button>
          )}
          {rollBackTo !== null && (
            <Button
              size="xs"
              variant="default"
              loading={question === null && choose.isPending}
              onClick={() => choose.mutate(rollBackTo)}
            >
              {t`Roll back to version ${rollBackTo}`}
            </Button>
          )}
        </Group>
      </Group>
      {question === null && choose.isError && (
        <div className={classes['notices']}>
          <ErrorState error={choose.error} />
        </div>
      )}
      <ChoiceNotice operation={one} />
      {canary !== null && (
        <CanaryPanel
          operation={operation}
          canary={canary}
          canServe={versions.some(
            (version) => version.canServe && Number(version.version) === canary.version,
          )}
          serving={current}
        />
      )}
      {shadow !== null && (
        <ShadowPanel
          operation={operation}
          shadow={shadow}
          onChoose={() => setQuestion({ version: shadow.version })}
        />
      )}
      <ul
        className={classes['versions']}
        data-actions={versions.some(({ canServe, version }) => canServe && Number(version) !== current)}
      >
        {versions.map((version) => (
          <VersionRow
            key={version.version}
            version={version}
            isCurrent={current === Number(version.version)}
            onCandidate={
              canary === null && shadow === null && current !== null
                ? (role) => setCandidate({ version: Number(version.version), role })
                : undefined
            }
            onServe={() => setQuestion({ version: Number(version.version) })}
          />
        ))}
      </ul>
      {candidate?.role === 'canary' && (
        <CanaryForm operation={operation} version={candidate.version} onClose={() => setCandidate(null)} />
      )}
      {candidate?.role === 'shadow' && (
        <ShadowForm operation={operation} version={candidate.version} onClose={() => setCandidate(null)} />
      )}
      {question !== null && (
        <ConfirmModal
          title={
            question.version === null
              ? t`Serve the highest valid version?`
              : t`Serve version ${question.version}?`
          }
          text={explain(question)}
          action={question.version === null ? t`Serve the highest` : t`Serve version ${question.version}`}
          isBusy={choose.isPending}
          error={choose.error}
          onConfirm={() => choose.mutate(question.version, { onSuccess: close })}
          onClose={close}
        />
      )}
    </Paper>
  );
}

function explain({ version }: Question): string {
  return version === null
    ? t`All customers' new jobs get the highest valid version, including versions that are added later.`
    : t`All customers' new jobs get this version until you choose another one. Versions that are added later aren't served automatically. Jobs that pin a version keep it.`;
}
