import { t } from '@lingui/core/macro';
import { Button, NativeSelect, Stack } from '@mantine/core';
import { useState } from 'react';
import type { Role, useSetRole } from '../../api/members/members.js';
import type { Member } from '../../api/schema.js';
import { ROLE_LABELS } from '../../lib/role-texts.js';

export interface RoleChoiceProps {
  readonly member: Member;
  /** The roles that the user may give. */
  readonly grantable: readonly Role[];
  readonly setRole: ReturnType<typeof useSetRole>;
}

/** Chooses the role of a member. With keys, a select changes at each arrow, so a button applies the choice. */
export function RoleChoice({ member: { email, role }, grantable, setRole }: RoleChoiceProps) {
  const [chosen, setChosen] = useState<Role | null>(null);
  const apply = () => {
    if (chosen !== null) setRole.mutate(chosen, { onSuccess: () => setChosen(null) });
  };
  return (
    <Stack gap={6}>
      <NativeSelect
        aria-label={t`Role of ${email}`}
        value={chosen ?? role}
        disabled={setRole.isPending}
        data={grantable.map((value) => ({ value, label: ROLE_LABELS[value] }))}
        onChange={({ currentTarget: { value } }) => setChosen(value === role ? null : (value as Role))}
      />
      {chosen !== null && (
        <Button size="xs" aria-label={t`Change role of ${email}`} loading={setRole.isPending} onClick={apply}>
          {t`Change role`}
        </Button>
      )}
    </Stack>
  );
}
