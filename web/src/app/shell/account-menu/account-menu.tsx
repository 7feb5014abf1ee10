import { t } from '@lingui/core/macro';
import { IconBook2, IconKeyboard, IconLogout, IconServerCog, IconUserCircle } from '@tabler/icons-react';
import { NavLink } from 'react-router';
import { useSignOut } from '../../../api/session/session-actions.js';
import { useSession } from '../../../api/session/session.js';
import { planLabel } from '../../../lib/format.js';
import { ROLE_LABELS } from '../../../lib/role-texts.js';
import { LanguageChoice } from './language-choice.js';
import { CreateOrganization } from './create-organization.js';
import { MenuFault } from './menu-fault.js';
import { OrganizationChoice } from './organization-choice.js';
import menu from '../menu.module.css';
import classes from './account-menu.module.css';

export interface AccountMenuProps {
  readonly onHelp: () => void;
  readonly onFollow: () => void;
}

/** The signed-in user, and entries that concern the account instead of images. */
export function AccountMenu({ onHelp, onFollow }: AccountMenuProps) {
  const signOut = useSignOut();
  const isLeaving = signOut.isPending || signOut.isSuccess;
  const session = useSession().data;
  const [user, account] = [session?.user, session?.account];
  const isElsewhere = account?.id !== user?.id;
  return (
    <div className={classes['root']}>
      <ul className={menu['list']}>
        <li>
          <OrganizationChoice />
        </li>
        {session?.signUp === 'open' && session.impersonation === null && (
          <li>
            <CreateOrganization />
          </li>
        )}
        <li>
          <NavLink to="/account" className={menu['entry'] ?? ''} onClick={onFollow}>
            <IconUserCircle size={18} stroke={1.7} aria-hidden />
            {t`Account`}
          </NavLink>
        </li>
        {user?.operator === true && (
          <li>
            <NavLink to="/operator" className={menu['entry'] ?? ''} onClick={onFollow}>
              <IconServerCog size={18} stroke={1.7} aria-hidden />
              {t`Operator`}
            </NavLink>
          </li>
        )}
        <li>
          <a href="/docs" className={menu['entry']}>
            <IconBook2 size={18} stroke={1.7} aria-hidden />
            {t`API reference`}
          </a>
        </li>
        <li className={classes['shortcuts']}>
          <button type="button" className={menu['entry']} onClick={onHelp}>
            <IconKeyboard size={18} stroke={1.7} aria-hidden />
            {t`Shortcuts`}
          </button>
        </li>
        <li>
          <LanguageChoice />
        </li>
        <li>
          <button
            type="button"
            className={menu['entry']}
            disabled={isLeaving}
            aria-busy={isLeaving}
            onClick={() => signOut.mutate()}
          >
            <IconLogout size={18} stroke={1.7} aria-hidden />
            {isLeaving ? t`Signing out…` : t`Sign out`}
          </button>
          {signOut.isError && (
            <MenuFault>{t`Couldn't sign out. Check your connection and try again.`}</MenuFault>
          )}
        </li>
      </ul>
      <div className={classes['who']}>
        <span className={classes['email']} title={user?.email}>
          {user?.email}
        </span>
        <span className={classes['plan']}>
          {isElsewhere && session?.role && <>{ROLE_LABELS[session.role]} · </>}
          {account && planLabel(account.plan)}
        </span>
      </div>
    </div>
  );
}
