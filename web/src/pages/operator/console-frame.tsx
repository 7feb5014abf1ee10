import { t } from '@lingui/core/macro';
import { Code, Text } from '@mantine/core';
import '@mantine/core/styles/Code.css';
import { useQueryClient } from '@tanstack/react-query';
import { ApiError } from 'image-enhancement-client';
import { useEffect, useRef } from 'react';
import { NavLink, Outlet, useLocation } from 'react-router';
import { SESSION_KEY, useUser } from '../../api/session/session.js';
import { Notice } from '../../components/notices/notice.js';
import { PageHeader } from '../../components/pages/page-header.js';
import classes from './console-frame.module.css';
import { SECTIONS } from './sections.js';

const NOT_FOUND = 404;

/** The frame of every console page: its navigation, or the reason why the user has no access. */
export function ConsoleFrame() {
  const user = useUser();
  useRoleLost();
  const sections = useCurrentInView();
  if (user?.operator !== true) return <Refused email={user?.email ?? ''} />;
  return (
    <>
      <nav className={classes['nav']} aria-label={t`Operator console`}>
        <ul ref={sections} className={classes['list']}>
          {SECTIONS.map(({ path, label }) => (
            <li key={path}>
              <NavLink
                to={path === '' ? '/operator' : `/operator/${path}`}
                end={path === ''}
                className={classes['link'] ?? ''}
              >
                {label}
              </NavLink>
            </li>
          ))}
        </ul>
      </nav>
      <Outlet />
    </>
  );
}

/** On phones the navigation scrolls horizontally, so the current section is scrolled into view. */
function useCurrentInView() {
  const list = useRef<HTMLUListElement>(null);
  const { pathname } = useLocation();
  useEffect(() => {
    const section = pathname.split('/').slice(0, 3).join('/');
    const current = list.current?.querySelector<HTMLElement>(`a[href="${section}"]`);
    if (!list.current || !current) return;
    list.current.scrollLeft = current.offsetLeft - (list.current.clientWidth - current.offsetWidth) / 2;
  }, [pathname]);
  return list;
}

/** After the role is revoked, the service responds with 404. Reloading the session then shows that the role is gone. */
function useRoleLost() {
  const client = useQueryClient();
  useEffect(
    () =>
      client.getQueryCache().subscribe(({ query, type }) => {
        const { error } = query.state;
        const isLost = error instanceof ApiError && error.status === NOT_FOUND;
        if (
          type === 'updated' &&
          isLost &&
          query.queryKey[0] === 'operator' &&
          query.state.status === 'error'
        )
          void client.invalidateQueries({ queryKey: SESSION_KEY });
      }),
    [client],
  );
}

function Refused({ email }: { readonly email: string }) {
  return (
    <>
      <PageHeader title={t`Operator`} description={t`The console of the whole service, for its operators.`} />
      <Notice tone="warn" title={t`Only operators can see this page`}>
        <Text size="sm" mb="xs">
          {t`The administrator of the service grants the role with this command:`}
        </Text>
        <Code>{`npm run admin -- operator grant ${email}`}</Code>
      </Notice>
    </>
  );
}
