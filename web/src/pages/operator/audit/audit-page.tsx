import { t } from '@lingui/core/macro';
import { Button, Group } from '@mantine/core';
import { IconDownload, IconHistory } from '@tabler/icons-react';
import { type AuditFilters, auditExportUrl, useConsoleAudit } from '../../../api/operator/audit.js';
import { EmptyState } from '../../../components/notices/empty-state.js';
import { ErrorState } from '../../../components/notices/error-state.js';
import { Loading } from '../../../components/notices/loading.js';
import { EndOfList, listFault } from '../../../components/pages/end-of-list.js';
import { PageHeader } from '../../../components/pages/page-header.js';
import { RowList } from '../../../components/pages/row-list.js';
import { useAddressFilters } from '../../../components/pages/use-address-filters.js';
import { AuditFilterBar } from './audit-filter-bar.js';
import { AuditRow } from './audit-row.js';

const NO_FILTERS: AuditFilters = { account: '', action: '', from: '', to: '' };

/** The audit log of all accounts, newest event first. The filters are in the URL. */
export function AuditPage() {
  const { filters, change, clear, isFiltered } = useAddressFilters(NO_FILTERS);
  const audit = useConsoleAudit(filters);
  const list = audit.data?.pages.flatMap(({ data }) => data) ?? [];
  const fault = listFault(audit);
  return (
    <>
      <PageHeader
        title={t`Audit log`}
        description={t`Sign-ins and changes in all accounts, and what operators did.`}
      >
        <Group gap="xs">
          <ExportButton filters={filters} format="csv" label={t`Export CSV`} />
          <ExportButton filters={filters} format="ndjson" label={t`Export NDJSON`} />
        </Group>
      </PageHeader>
      <AuditFilterBar filters={filters} onChange={change} />
      {audit.isPending && <Loading height={300} />}
      {fault !== null && <ErrorState error={fault} onRetry={() => void audit.refetch()} />}
      {audit.isSuccess && list.length === 0 && (
        <EmptyState
          icon={<IconHistory size={22} stroke={1.5} />}
          title={t`No events found`}
          description={t`RETENTION_AUDIT_DAYS sets how long events are kept.`}
        >
          {isFiltered && (
            <Button variant="default" onClick={clear}>
              {t`Show all events`}
            </Button>
          )}
        </EmptyState>
      )}
      {list.length > 0 && (
        <RowList label={t`Audit log`}>
          {list.map((event) => (
            <AuditRow key={event.id} event={event} />
          ))}
        </RowList>
      )}
      <EndOfList query={audit} count={list.length} />
    </>
  );
}

interface ExportButtonProps {
  readonly filters: AuditFilters;
  readonly format: 'csv' | 'ndjson';
  readonly label: string;
}

/** Downloads all matching events, not only the rows on the page. */
function ExportButton({ filters, format, label }: ExportButtonProps) {
  return (
    <Button
      component="a"
      variant="default"
      href={auditExportUrl(filters, format)}
      download
      leftSection={<IconDownload size={16} stroke={1.7} />}
    >
      {label}
    </Button>
  );
}
