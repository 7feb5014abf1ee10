import { t } from '@lingui/core/macro';
import { Switch, TextInput } from '@mantine/core';
import { IconAdjustments, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import type { DescribedSetting } from '../../../api/operator/schema.js';
import { useSettings } from '../../../api/operator/settings.js';
import { EmptyState } from '../../../components/notices/empty-state.js';
import { ErrorState } from '../../../components/notices/error-state.js';
import { Loading } from '../../../components/notices/loading.js';
import { Notice } from '../../../components/notices/notice.js';
import { PageHeader } from '../../../components/pages/page-header.js';
import { RowList } from '../../../components/pages/row-list.js';
import { SettingRow } from './setting-row.js';
import classes from './settings-page.module.css';

/** The current settings, with the source of each. */
export function SettingsPage() {
  const settings = useSettings();
  const [search, setSearch] = useState('');
  const [isChangedOnly, setIsChangedOnly] = useState(false);
  const matches = ({ name, description, source }: DescribedSetting): boolean =>
    `${name} ${description}`.toLowerCase().includes(search.trim().toLowerCase()) &&
    (!isChangedOnly || source !== 'default');
  const list = settings.data?.data.filter(matches) ?? [];
  return (
    <>
      <PageHeader
        title={t`Settings`}
        description={t`Environment variables of the api role. Changes take effect after a restart.`}
      />
      <search className={classes['filters']} aria-label={t`Filter settings`}>
        <TextInput
          type="search"
          aria-label={t`Search settings`}
          placeholder={t`Name or description`}
          leftSection={<IconSearch size={16} stroke={1.7} />}
          autoComplete="off"
          spellCheck={false}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <Switch
          label={t`Changed only`}
          checked={isChangedOnly}
          onChange={(event) => setIsChangedOnly(event.currentTarget.checked)}
        />
      </search>
      {settings.isPending && <Loading height={300} />}
      {settings.isError && <ErrorState error={settings.error} onRetry={() => void settings.refetch()} />}
      {settings.data?.warnings.map((warning) => (
        <Notice key={warning} tone="warn" title={warning} />
      ))}
      {settings.isSuccess && list.length === 0 && (
        <EmptyState
          icon={<IconAdjustments size={22} stroke={1.5} />}
          title={t`No settings found`}
          description={t`Search for part of a variable's name or a word in its description.`}
        />
      )}
      {list.length > 0 && (
        <RowList label={t`Settings`}>
          {list.map((setting) => (
            <SettingRow key={setting.name} setting={setting} />
          ))}
        </RowList>
      )}
    </>
  );
}
