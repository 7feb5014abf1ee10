import { t } from '@lingui/core/macro';
import { Anchor, Paper, Stack, Title } from '@mantine/core';
import { Link } from 'react-router';
import { PageHeader } from '../../components/pages/page-header.js';
import { PasskeysSection } from './passkeys-section.js';
import { TwoFactorSection } from './two-factor-section.js';
import classes from './security-page.module.css';

/** How the user signs in. */
export function SecurityPage() {
  return (
    <>
      <Anchor component={Link} to="/account" size="sm" className={classes['back'] ?? ''}>
        {t`Account`}
      </Anchor>
      <PageHeader title={t`Security`} description={t`How you sign in.`} />
      <Stack gap="lg" className={classes['root']}>
        <Paper withBorder component="section" aria-labelledby="two-factor" className={classes['card']}>
          <Title order={2} id="two-factor" mb="xs">
            {t`Two-factor authentication`}
          </Title>
          <TwoFactorSection />
        </Paper>
        <Paper withBorder component="section" aria-labelledby="passkeys" className={classes['card']}>
          <Title order={2} id="passkeys" mb="xs">
            {t`Passkeys`}
          </Title>
          <PasskeysSection />
        </Paper>
      </Stack>
    </>
  );
}
