import { t } from '@lingui/core/macro';
import { Button, DataList, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { useHasPassword, useSession } from '../../api/session/session.js';
import { Card } from '../../components/pages/card.js';
import { NoPassword } from '../../components/fields/no-password.js';
import { PageHeader } from '../../components/pages/page-header.js';
import { formatDay } from '../../lib/format.js';
import classes from './account-page.module.css';
import { ChangePassword } from './change-password.js';
import { DeleteAccount } from './delete-account.js';
import { DeviceList } from './device-list.js';
import { DownloadData } from './download-data.js';
import { EmailAddress } from './email-address.js';
import { Notifications } from './notifications.js';
import { PendingEmail } from './pending-email.js';

/** The user's identity, password, sessions, notifications, data, and account deletion. */
export function AccountPage() {
  const session = useSession().data;
  const hasPassword = useHasPassword();
  if (!session?.user || !session.account) return null;
  const { user, account } = session;
  const isOwn = account.id === user.id;
  const mayDownload = session.permissions.includes('account:export');
  const mayDelete = account.ownerId === user.id;
  return (
    <>
      <PageHeader
        title={t`Account`}
        description={t`Your email, password, sessions, notifications, data, and account deletion.`}
      />
      <Stack gap="lg" className={classes['root']}>
        <Card id="profile" title={t`Profile`}>
          <Stack gap="md">
            <DataList labelWidth={120}>
              <DataList.Item>
                <DataList.ItemLabel>{t`Email address`}</DataList.ItemLabel>
                <DataList.ItemValue style={{ minWidth: 0 }}>
                  <EmailAddress
                    email={user.email}
                    sendsMail={session.sendsMail}
                    isReadOnly={session.impersonation !== null}
                  />
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
            {session.sendsMail && session.impersonation === null && <PendingEmail />}
          </Stack>
        </Card>
        <Card id="change-password" title={hasPassword ? t`Change password` : t`Password`}>
          {hasPassword ? <ChangePassword email={user.email} /> : <NoPassword />}
        </Card>
        {session.impersonation === null && (
          <Card
            id="security"
            title={t`Security`}
            hint={t`Protect your sign-in with a second factor or passkeys.`}
          >
            <Button component={Link} to="/account/security" variant="default">
              {t`Security settings`}
            </Button>
          </Card>
        )}
        <Card id="devices" title={t`Where you're signed in`}>
          <DeviceList />
        </Card>
        <Card id="notifications" title={t`Email notifications`}>
          <Notifications sendsMail={session.sendsMail} />
        </Card>
        {mayDownload && (
          <Card id="download-data" title={t`Download your data`}>
            <DownloadData />
          </Card>
        )}
        <Card id="delete-account" title={isOwn ? t`Delete account` : t`Delete organization`}>
          {mayDelete ? (
            <DeleteAccount name={account.name} isOrganization={!isOwn} />
          ) : (
            <Text size="sm" c="dimmed">
              {t`Only the primary owner can delete this organization. You can leave it on the Members page.`}
            </Text>
          )}
        </Card>
      </Stack>
    </>
  );
}
