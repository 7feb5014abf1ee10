import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { type AccountFilters, useConsoleAccounts } from '../../../api/operator/accounts.js';
import { EmptyState } from '../../../components/notices/empty-state.js';
import { ErrorState } from '../../../components/notices/error-state.js';
import { Loading } from '../../../components/notices/loading.js';
import { EndOfList, listFault } from '../../../components/pages/end-of-list.js';
import { PageHeader } from '../../../components/pages/page-header.js';
import { RowList } from '../../../components/pages/row-list.js';
import { useAddressFilters } from '../../../components/pages/use-address-filters.js';
import { AccountFilterBar } from './account-filter-bar.js';
import { AccountRow } from './account-row.js';
import { PlanRequests } from './plan-requests/plan-requests.js';

const NO_FILTERS: AccountFilters = { search: '', plan: '', status: '' };

/** The accounts of all customers. The search and the filters are in the URL. */
export function AccountsPage() {
  const { filters, change, clear } = useAddressFilters(NO_FILTERS);
  const accounts = useConsoleAccounts(filters);
  const list = accounts.data?.pages.flatMap(({ data }) => data) ?? [];
  const fault = listFault(accounts);
  return (
    <>
      <PageHeader title={t`Accounts`} description={t`Every customer's account, newest first.`} />
      <PlanRequests />
      <AccountFilterBar filters={filters} onChange={change} />
      {accounts.isPending && <Loading height={300} />}
      {fault !== null && <ErrorState error={fault} onRetry={() => void accounts.refetch()} />}
      {accounts.isSuccess && list.length === 0 && (
        <EmptyState
          icon={<IconUsers size={22} stroke={1.5} />}
          title={t`No accounts found`}
          description={t`Search by the start of an email address or domain, or by the ID of an account, key, photo, job, batch or endpoint.`}
        >
          <Button variant="default" onClick={clear}>
            {t`Show all accounts`}
          </Button>
        </EmptyState>
      )}
      {list.length > 0 && (
        <RowList label={t`Accounts`}>
          {list.map((account) => (
            <AccountRow key={account.id} account={account} />
          ))}
        </RowList>
      )}
      <EndOfList query={accounts} count={list.length} />
    </>
  );
}
