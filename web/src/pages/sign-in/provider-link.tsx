import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { IconLogin2 } from '@tabler/icons-react';
import { API_BASE } from '../../api/api-base.js';

export interface ProviderLinkProps {
  /** What the operator calls the provider. */
  readonly name: string;
  /** Where to go after signing in. */
  readonly next: string;
}

/** Leaves the dashboard for the sign-in page of the OpenID provider. */
export function ProviderLink({ name, next }: ProviderLinkProps) {
  return (
    <Button
      component="a"
      fullWidth
      mt="md"
      variant="default"
      leftSection={<IconLogin2 size={18} stroke={1.7} />}
      href={`${API_BASE}/sign-in/oidc?next=${encodeURIComponent(next)}`}
    >
      {t`Sign in with ${name}`}
    </Button>
  );
}
