import { Button } from '@mantine/core';
import { IconMapOff } from '@tabler/icons-react';
import { Link } from 'react-router';
import { EmptyState } from '../../components/notices/empty-state.js';
import { PageHeader } from '../../components/pages/page-header.js';

export function NotFoundPage() {
  return (
    <>
      <PageHeader title="Page not found" description="We can't find that page." />
      <EmptyState
        icon={<IconMapOff size={22} stroke={1.5} />}
        title="This page does not exist"
        description="Check the address, or go back to the playground."
      >
        <Button component={Link} to="/playground">
          Open the playground
        </Button>
      </EmptyState>
    </>
  );
}
