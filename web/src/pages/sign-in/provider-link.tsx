import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { IconLogin2 } from '@tabler/icons-react';
import { API_BASE } from '../../api/api-base.js';

export interface ProviderLinkProps {
  /** The operator's name for the provider. */
  readonly name: string;
  /** The page to open after signing in. */
  readonly next: string;
}

/** Leads to the sign-in page of the OpenID provider. */
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
