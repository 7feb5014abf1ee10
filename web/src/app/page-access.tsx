import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import type { Session } from '../api/schema.js';
import { isGuestOfOperator } from '../api/session/guest-of-operator.js';
import { Notice } from '../components/notices/notice.js';
import { PageHeader } from '../components/pages/page-header.js';
import { ROLE_LABELS, ROLE_TEXTS } from '../lib/role-texts.js';
import classes from './page-access.module.css';
import { NAV_ITEMS } from './shell/nav-items.js';

export interface PageAccessProps {
  readonly session: Session;
  readonly children: ReactNode;
}

/** A page, unless the role does not permit it. Explains which parts are missing, or why the whole page is. */
export function PageAccess({ session, children }: PageAccessProps) {
  const { pathname } = useLocation();
  const { permissions, role, account } = session;
  const item = NAV_ITEMS.find(({ path }) => pathname === path || pathname.startsWith(`${path}/`));
  if (item === undefined || role === null || account === null) return children;
  const [name, organization] = [ROLE_LABELS[role], account.name];
  if (item.permission === 'webhooks:read' && isGuestOfOperator(session))
    return (
      <>
        <PageHeader title={item.label} description={t`Only operators of this service can see this page.`} />
        <Notice tone="info" title={t`You are ${name} in ${organization}`}>
          {t`This account belongs to an operator of this service. Its webhooks can report on all customers.`}
        </Notice>
      </>
    );
  if (!permissions.includes(item.permission))
    return (
      <>
        <PageHeader title={item.label} description={t`Your role doesn't include this page.`} />
        <Notice tone="info" title={t`You are ${name} in ${organization}`}>
          {ROLE_TEXTS[role]} {t`Ask an owner or admin for another role.`}
        </Notice>
      </>
    );
  const isReadOnly = item.permission === 'images:read' && !permissions.includes('images:write');
  return (
    <>
      {isReadOnly && (
        <div className={classes['notice']}>
          <Notice tone="info">
            {t`You are ${name} in ${organization}: you can see images and jobs, but not create or delete any.`}
          </Notice>
        </div>
      )}
      {children}
    </>
  );
}
