import { t } from '@lingui/core/macro';
import { Paper, Skeleton, Text, Title } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import type { Model, ModelHealth as Health } from '../../api/schema.js';
import { OperationIcon } from '../../components/status/operation-icon.js';
import { operationLabel } from '../../lib/format.js';
import { customerCard } from './customer-card.js';
import { LastBatches } from './last-batches.js';
import classes from './model-card.module.css';
import { ModelFacts } from './model-facts.js';
import { ModelHealth } from './model-health.js';

const Markdown = lazy(async () => ({ default: (await import('./markdown.js')).Markdown }));

export interface ModelCardProps {
  readonly served: Model;
  readonly health: Health | undefined;
}

/** One operation and its model. */
export function ModelCard({ served, health }: ModelCardProps) {
  const [isOpen, setIsOpen] = useState(false);
  const card = customerCard(served.card);
  return (
    <Paper
      withBorder
      component="article"
      aria-label={operationLabel(served.operation)}
      className={classes['root']}
    >
      <header className={classes['head']}>
        <span className={classes['icon']}>
          <OperationIcon operation={served.operation} />
        </span>
        <div className={classes['title']}>
          <Title order={2}>{operationLabel(served.operation)}</Title>
          <Text size="sm" c="dimmed">
            {served.description}
          </Text>
        </div>
        <ModelHealth served={served} health={health} />
      </header>
      <ModelFacts served={served} health={health} />
      <LastBatches batches={served.lastBatches} />
      {card !== '' && (
        <details className={classes['details']} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
          <summary>{t`Known limits`}</summary>
          {isOpen && (
            <Suspense fallback={<Skeleton height={160} />}>
              <Markdown text={card} />
            </Suspense>
          )}
        </details>
      )}
    </Paper>
  );
}
