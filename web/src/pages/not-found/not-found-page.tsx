import { Button } from '@mantine/core';
import { IconMapOff } from '@tabler/icons-react';
import { Link } from 'react-router';
import { EmptyState } from '../../components/notices/empty-state.js';
import { PageHeader } from '../../components/pages/page-header.js';

export function NotFoundPage() {
  return (
    <>
      <PageHeader title="Page not found" description="There is nothing at this address." />
      <EmptyState
        icon={<IconMapOff size={22} stroke={1.5} />}
        title="This page does not exist"
        description="It may have moved, or the address has a typing error."
      >
        <Button component={Link} to="/playground">
          Open the playground
        </Button>
      </EmptyState>
    </>
  );
}
