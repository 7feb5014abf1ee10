import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { ApiError } from 'image-enhancement-client';
import type { ReactNode } from 'react';
import { namedFieldText } from '../../api/field-texts.js';
import { problemOf } from '../../api/problem.js';
import { SESSION_KEY } from '../../api/session/session.js';
import { planLabel } from '../../lib/format.js';
import { Notice } from './notice.js';
import { RetryIn } from './retry-in.js';
import { Prose } from '../text/prose.js';

export interface ErrorStateProps {
  readonly error: Error;
  /** Shown when a retry can help, which is not the case for an exhausted plan. */
  readonly onRetry?: (() => void) | undefined;
  /** Whether to move the focus to it. */
  readonly takesFocus?: boolean;
  /** What the error means here, below the service's own text. */
  readonly children?: ReactNode;
}

/** What went wrong, what to do, and the request id. Uses the service's own text if there is one. */
export function ErrorState({ error, onRetry, takesFocus = false, children }: ErrorStateProps) {
  const client = useQueryClient();
  const problem = problemOf(error);
  return (
    <Notice
      tone={problem.upgrade ? 'warn' : 'bad'}
      title={problem.title}
      role="alert"
      takesFocus={takesFocus}
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">
          <Prose text={problem.detail} />
        </Text>
        {children}
        {problem.fields.map((field) => (
          <Text size="sm" key={`${field.field}-${field.code}`}>
            {namedFieldText(field)}
          </Text>
        ))}
        {problem.retryAtMs !== null && <RetryIn atMs={problem.retryAtMs} />}
        <Group gap="md">
          {error instanceof ApiError && error.code === 'not_signed_in' && (
            // Reading the session opens the sign-in page, which leads back to this one.
            <Button size="xs" onClick={() => void client.invalidateQueries({ queryKey: SESSION_KEY })}>
              {t`Sign in`}
            </Button>
          )}
          {onRetry !== undefined && !problem.upgrade && (
            <Button size="xs" variant="default" onClick={onRetry}>
              {t`Try again`}
            </Button>
          )}
          {problem.upgrade && (
            <>
              <Anchor size="sm" href={problem.upgrade.url}>
                <Trans>See the {planLabel(problem.upgrade.plan ?? 'enterprise')}</Trans>
              </Anchor>
              <Anchor size="sm" href="/usage">
                {t`Request a plan`}
              </Anchor>
            </>
          )}
        </Group>
        {problem.requestId && (
          <Text size="xs" c="dimmed">
            <Trans>
              Request ID: <code>{problem.requestId}</code>
            </Trans>
          </Text>
        )}
      </Stack>
    </Notice>
  );
}
