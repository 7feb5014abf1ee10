import { t } from '@lingui/core/macro';
import { Button, DataList, Paper, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { useSession } from '../../api/session/session.js';
import { PageHeader } from '../../components/pages/page-header.js';
import { formatDay } from '../../lib/format.js';
import classes from './account-page.module.css';
import { ChangePassword } from './change-password.js';
import { DeleteAccount } from './delete-account.js';
import { DeviceList } from './device-list.js';
import { Notifications } from './notifications.js';

/** The user's identity, password, sessions, notifications, and account deletion. */
export function AccountPage() {
  const session = useSession().data;
  if (!session?.user || !session.account) return null;
  const { user, account } = session;
  const isOwn = account.id === user.id;
  const mayDelete = account.ownerId === user.id;
  return (
    <>
      <PageHeader
        title={t`Account`}
        description={t`Your email, password, sessions, notifications, and account deletion.`}
      />
      <Stack gap="lg" className={classes['root']}>
        <Paper withBorder className={classes['card']}>
          <DataList labelWidth={120}>
            <DataList.Item>
              <DataList.ItemLabel>{t`E-mail address`}</DataList.ItemLabel>
              <DataList.ItemValue style={{ overflowWrap: 'anywhere', minWidth: 0 }}>
                {user.email}
              </DataList.ItemValue>
            </DataList.Item>
            {!isOwn && (
              <DataList.Item>
                <DataList.ItemLabel>{t`Organization`}</DataList.ItemLabel>
                <DataList.ItemValue style={{ overflowWrap: 'anywhere', minWidth: 0 }}>
                  {account.name}
                </DataList.ItemValue>
              </DataList.Item>
            )}
            <DataList.Item>
              <DataList.ItemLabel>{t`Plan`}</DataList.ItemLabel>
              <DataList.ItemValue tt="capitalize">{account.plan}</DataList.ItemValue>
            </DataList.Item>
            <DataList.Item>
              <DataList.ItemLabel>{isOwn ? t`Member since` : t`Created`}</DataList.ItemLabel>
              <DataList.ItemValue>{formatDay(account.createdAt)}</DataList.ItemValue>
            </DataList.Item>
          </DataList>
        </Paper>
        <Paper withBorder component="section" aria-labelledby="change-password" className={classes['card']}>
          <Title order={2} id="change-password" mb="md">
            {t`Change password`}
          </Title>
          <ChangePassword email={user.email} />
        </Paper>
        {session.impersonation === null && (
          <Paper withBorder component="section" aria-labelledby="security" className={classes['card']}>
            <Title order={2} id="security" mb="xs">
              {t`Security`}
            </Title>
            <Text size="sm" c="dimmed" mb="md">
              {t`Protect your sign-in with a second factor or passkeys.`}
            </Text>
            <Button component={Link} to="/account/security" variant="default">
              {t`Security settings`}
            </Button>
          </Paper>
        )}
        <Paper withBorder component="section" aria-labelledby="devices" className={classes['card']}>
          <Title order={2} id="devices" mb="xs">
            {t`Where you're signed in`}
          </Title>
          <DeviceList />
        </Paper>
        <Paper withBorder component="section" aria-labelledby="notifications" className={classes['card']}>
          <Title order={2} id="notifications" mb="md">
            {t`Email notifications`}
          </Title>
          <Notifications sendsMail={session.sendsMail} />
        </Paper>
        <Paper withBorder component="section" aria-labelledby="delete-account" className={classes['card']}>
          <Title order={2} id="delete-account" mb="xs">
            {isOwn ? t`Delete account` : t`Delete organization`}
          </Title>
          {mayDelete ? (
            <DeleteAccount name={account.name} isOrganization={!isOwn} />
          ) : (
            <Text size="sm" c="dimmed">
              {t`Only the primary owner can delete this organization. You can leave it on the page Members.`}
            </Text>
          )}
        </Paper>
      </Stack>
    </>
  );
}
