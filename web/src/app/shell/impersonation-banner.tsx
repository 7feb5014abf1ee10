import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { IconEye } from '@tabler/icons-react';
import { useEndImpersonation } from '../../api/session/impersonation.js';
import { useAccount, useImpersonation } from '../../api/session/session.js';
import { RelativeTime } from '../../components/times/relative-time.js';
import classes from './impersonation-banner.module.css';

/** Shows an operator on every page whose account this is, with a button that ends the impersonation. */
export function ImpersonationBanner() {
  const account = useAccount();
  const impersonation = useImpersonation();
  const end = useEndImpersonation(account);
  if (impersonation === null || account === null) return null;
  return (
    <aside className={classes['root']} aria-label={t`Signed in as a customer`}>
      <IconEye size={18} stroke={1.8} aria-hidden className={classes['icon']} />
      <span className={classes['text']}>
        <Trans>
          Signed in as <b>{account.name}</b>. You can look, but not change anything. Ends{' '}
          <RelativeTime iso={impersonation.expiresAt} />.
        </Trans>
      </span>
      <button
        type="button"
        className={classes['button']}
        disabled={end.isPending}
        onClick={() => end.mutate()}
      >
        {t`End`}
      </button>
    </aside>
  );
}
