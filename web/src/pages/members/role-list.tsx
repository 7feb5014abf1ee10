import { t } from '@lingui/core/macro';
import { Title } from '@mantine/core';
import { ROLE_LABELS, ROLE_TEXTS, ROLES } from '../../lib/role-texts.js';
import classes from './members.module.css';

/** What each role may do. */
export function RoleList() {
  return (
    <section aria-labelledby="roles">
      <Title order={2} id="roles" mb="sm">
        {t`What each role can do`}
      </Title>
      <dl className={classes['roles']}>
        {ROLES.map((role) => (
          <div key={role} style={{ display: 'contents' }}>
            <dt>{ROLE_LABELS[role]}</dt>
            <dd>{ROLE_TEXTS[role]}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
