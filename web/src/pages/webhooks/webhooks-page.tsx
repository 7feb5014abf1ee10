import { t } from '@lingui/core/macro';
import { Button, Tabs } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { PageHeader } from '../../components/pages/page-header.js';
import { CreateEndpointModal } from './endpoints/create-endpoint-modal.js';
import { Deliveries } from './deliveries/deliveries.js';
import { Endpoints } from './endpoints/endpoints.js';
import { SignatureChecker } from './signature-checker.js';

const TABS = ['endpoints', 'deliveries', 'signature'] as const;

/** Webhook endpoints, deliveries, and a tool for checking signatures. */
export function WebhooksPage() {
  const { tab, id } = useParams();
  const navigate = useNavigate();
  const [isCreating, setIsCreating] = useState(false);
  const current = TABS.find((name) => name === tab) ?? 'endpoints';
  const create = () => setIsCreating(true);
  return (
    <>
      <PageHeader title={t`Webhooks`} description={t`Signed events that the service sends to your servers.`}>
        <Button leftSection={<IconPlus size={16} />} onClick={create}>
          {t`Add endpoint`}
        </Button>
      </PageHeader>
      <Tabs
        value={current}
        onChange={(next) => void navigate(`/webhooks/${next}`, { preventScrollReset: true })}
        keepMounted={false}
      >
        <Tabs.List mb="lg">
          <Tabs.Tab value="endpoints">{t`Endpoints`}</Tabs.Tab>
          <Tabs.Tab value="deliveries">{t`Deliveries`}</Tabs.Tab>
          <Tabs.Tab value="signature">{t`Verify signature`}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="endpoints">
          <Endpoints onCreate={create} />
        </Tabs.Panel>
        <Tabs.Panel value="deliveries">
          <Deliveries openId={id} />
        </Tabs.Panel>
        <Tabs.Panel value="signature">
          <SignatureChecker />
        </Tabs.Panel>
      </Tabs>
      {isCreating && <CreateEndpointModal onClose={() => setIsCreating(false)} />}
    </>
  );
}
