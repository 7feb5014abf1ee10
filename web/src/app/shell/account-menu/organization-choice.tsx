import { t } from '@lingui/core/macro';
import { IconBuilding, IconSwitchHorizontal } from '@tabler/icons-react';
import { useState } from 'react';
import { useOrganizations, useSwitchOrganization } from '../../../api/members/organizations.js';
import { codeFault } from '../../../api/problem.js';
import { useSession } from '../../../api/session/session.js';
import { ROLE_LABELS } from '../../../lib/role-texts.js';
import menu from '../menu.module.css';
import { MenuFault } from './menu-fault.js';
import { MenuSelect } from './menu-select.js';

/** Selects the organization that the dashboard shows. Hidden for users with only one. */
export function OrganizationChoice() {
  const session = useSession().data;
  const organizations = useOrganizations();
  const change = useSwitchOrganization();
  // Switching reloads every tab. With keys, a select changes at each arrow, so it only chooses.
  const [chosen, setChosen] = useState<string | null>(null);
  const list = organizations.data?.data ?? [];
  const isBusy = change.isPending || change.isSuccess;
  const current = session?.account?.id;
  // An operator who is signed in as a customer belongs to none of them.
  if (list.length < 2 || !list.some(({ id }) => id === current)) return null;
  return (
    <>
      <MenuSelect
        icon={IconBuilding}
        label={t`Organization`}
        value={chosen ?? current}
        isDisabled={isBusy}
        onChoose={(id) => setChosen(id === current ? null : id)}
      >
        {list.map(({ id, name, role, isSuspended }) => (
          <option key={id} value={id}>
            {id === session?.user?.id ? t`Your own account` : `${name} (${ROLE_LABELS[role]})`}
            {isSuspended && ` ${t`(suspended)`}`}
          </option>
        ))}
      </MenuSelect>
      {chosen !== null && (
        <button
          type="button"
          className={menu['entry']}
          disabled={isBusy}
          onClick={() => change.mutate(chosen)}
        >
          <IconSwitchHorizontal size={18} stroke={1.7} aria-hidden />
          {t`Switch organization`}
        </button>
      )}
      {change.error !== null && (
        <MenuFault>
          {codeFault(change.error, 'account_suspended') ?? t`Couldn't switch. You may no longer be a member.`}
        </MenuFault>
      )}
    </>
  );
}
