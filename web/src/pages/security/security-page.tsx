import { t } from '@lingui/core/macro';
import { Stack } from '@mantine/core';
import { useIdentities } from '../../api/session/identities.js';
import { useImpersonation, useSession } from '../../api/session/session.js';
import { Notice } from '../../components/notices/notice.js';
import { Card } from '../../components/pages/card.js';
import { BackLink } from '../../components/pages/back-link.js';
import { PageHeader } from '../../components/pages/page-header.js';
import { IdentitiesSection } from './identities-section.js';
import { PasskeysSection } from './passkeys-section.js';
import { TwoFactorSection } from './two-factor-section.js';
import classes from './security-page.module.css';

/**
 * How the user signs in. An operator who is signed in as a customer sees neither the customer's settings nor their own.
 */
export function SecurityPage() {
  const isOwn = useImpersonation() === null;
  return (
    <>
      <BackLink to="/account" label={t`Account`} />
      <PageHeader title={t`Security`} description={t`How you sign in.`} />
      {isOwn ? (
        <SignInSettings />
      ) : (
        <Notice tone="info">{t`How a customer signs in is shown only to the customer.`}</Notice>
      )}
    </>
  );
}

function SignInSettings() {
  const providerName = useSession().data?.oidcName ?? null;
  const linked = useIdentities().data?.data ?? [];
  return (
    <Stack gap="lg" className={classes['root']}>
      <Card id="two-factor" title={t`Two-factor authentication`}>
        <TwoFactorSection />
      </Card>
      <Card id="passkeys" title={t`Passkeys`}>
        <PasskeysSection />
      </Card>
      {/* Without a provider, nothing can be linked. Links to an earlier provider can still be removed. */}
      {(providerName !== null || linked.length > 0) && (
        <Card id="identities" title={t`Sign-in providers`}>
          <IdentitiesSection providerName={providerName} />
        </Card>
      )}
    </Stack>
  );
}
