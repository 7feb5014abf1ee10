import { t } from '@lingui/core/macro';
import { IconBuilding } from '@tabler/icons-react';
import { useOrganizations, useSwitchOrganization } from '../../../api/members/organizations.js';
import { useSession } from '../../../api/session/session.js';
import { ROLE_LABELS } from '../../../lib/role-texts.js';
import { MenuSelect } from './menu-select.js';
import classes from './organization-choice.module.css';

/** Selects the organization that the dashboard shows. Hidden for users with only one. */
export function OrganizationChoice() {
  const session = useSession().data;
  const organizations = useOrganizations();
  const change = useSwitchOrganization();
  const list = organizations.data?.data ?? [];
  const current = change.isPending || change.isSuccess ? change.variables : session?.account?.id;
  // An operator who is signed in as a customer belongs to none of them.
  if (list.length < 2 || !list.some(({ id }) => id === current)) return null;
  return (
    <>
      <MenuSelect
        icon={IconBuilding}
        label={t`Organization`}
        value={current}
        isDisabled={change.isPending || change.isSuccess}
        onChoose={(id) => change.mutate(id)}
      >
        {list.map(({ id, name, role }) => (
          <option key={id} value={id}>
            {id === session?.user?.id ? t`Your own account` : `${name} (${ROLE_LABELS[role]})`}
          </option>
        ))}
      </MenuSelect>
      {change.error !== null && (
        <p className={classes['fault']} role="alert">
          {t`Couldn't switch. You may no longer be a member.`}
        </p>
      )}
    </>
  );
}
