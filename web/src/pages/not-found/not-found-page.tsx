import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { IconMapOff } from '@tabler/icons-react';
import { Link } from 'react-router';
import { EmptyState } from '../../components/notices/empty-state.js';
import { PageHeader } from '../../components/pages/page-header.js';

export function NotFoundPage() {
  return (
    <>
      <PageHeader title={t`Page not found`} description={t`We can't find that page.`} />
      <EmptyState
        icon={<IconMapOff size={22} stroke={1.5} />}
        title={t`This page does not exist`}
        description={t`Check the address, or go back to the playground.`}
      >
        <Button component={Link} to="/playground">
          {t`Open the playground`}
        </Button>
      </EmptyState>
    </>
  );
}
