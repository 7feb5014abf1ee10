import { t } from '@lingui/core/macro';
import { DataList, Paper, Stack, Title } from '@mantine/core';
import { useAccount } from '../../api/session/session.js';
import { PageHeader } from '../../components/pages/page-header.js';
import { formatDay } from '../../lib/format.js';
import classes from './account-page.module.css';
import { ChangePassword } from './change-password.js';
import { DeleteAccount } from './delete-account.js';
import { DeviceList } from './device-list.js';

/** The user's identity, password, sessions, and account deletion. */
export function AccountPage() {
  const account = useAccount();
  if (account === null) return null;
  return (
    <>
      <PageHeader title={t`Account`} description={t`Your email, password, sessions, and account deletion.`} />
      <Stack gap="lg" className={classes['root']}>
        <Paper withBorder className={classes['card']}>
          <DataList labelWidth={120}>
            <DataList.Item>
              <DataList.ItemLabel>{t`E-mail address`}</DataList.ItemLabel>
              <DataList.ItemValue style={{ overflowWrap: 'anywhere', minWidth: 0 }}>
                {account.email}
              </DataList.ItemValue>
            </DataList.Item>
            <DataList.Item>
              <DataList.ItemLabel>{t`Plan`}</DataList.ItemLabel>
              <DataList.ItemValue tt="capitalize">{account.plan}</DataList.ItemValue>
            </DataList.Item>
            <DataList.Item>
              <DataList.ItemLabel>{t`Member since`}</DataList.ItemLabel>
              <DataList.ItemValue>{formatDay(account.createdAt)}</DataList.ItemValue>
            </DataList.Item>
          </DataList>
        </Paper>
        <Paper withBorder component="section" aria-labelledby="change-password" className={classes['card']}>
          <Title order={2} id="change-password" mb="md">
            {t`Change password`}
          </Title>
          <ChangePassword email={account.email} />
        </Paper>
        <Paper withBorder component="section" aria-labelledby="devices" className={classes['card']}>
          <Title order={2} id="devices" mb="xs">
            {t`Where you're signed in`}
          </Title>
          <DeviceList />
        </Paper>
        <Paper withBorder component="section" aria-labelledby="delete-account" className={classes['card']}>
          <Title order={2} id="delete-account" mb="xs">
            {t`Delete account`}
          </Title>
          <DeleteAccount email={account.email} />
        </Paper>
      </Stack>
    </>
  );
}
