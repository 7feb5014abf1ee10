import { Alert, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ModelsHealth } from '../../api/models-health.js';
import { operationLabel } from '../../lib/format.js';

export interface RefusedVersionsProps {
  readonly health: ModelsHealth;
}

/** Versions that are in the folder and do not serve, with what the service says about each. */
export function RefusedVersions({ health }: RefusedVersionsProps) {
  if (health.refusals.length === 0) return null;
  return (
    <Alert color="yellow" icon={<IconAlertTriangle size={18} />} title="Some model versions are refused">
      {health.refusals.map(({ operation, version, message }) => (
        <Text size="sm" key={`${operation}-${version}`} mt={4}>
          <b>
            {operationLabel(operation)}, version {version}:
          </b>{' '}
          {message}
        </Text>
      ))}
    </Alert>
  );
}
