import { plural, t } from '@lingui/core/macro';
import { Button, Stack } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { useInactiveKeys } from '../../api/keys/keys.js';
import { ErrorState } from '../../components/notices/error-state.js';
import { Loading } from '../../components/notices/loading.js';
import { EndOfList, listFault } from '../../components/pages/end-of-list.js';
import { KeyRow } from './key-row.js';
import classes from './inactive-keys.module.css';

export interface InactiveKeysProps {
  /** Number of keys that were revoked or have expired. */
  readonly count: number;
}

/** Revoked and expired keys, which are shown on request. */
export function InactiveKeys({ count }: InactiveKeysProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <section className={classes['root']} aria-label={t`Revoked and expired keys`}>
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        className={classes['toggle'] ?? ''}
        leftSection={isOpen ? <IconChevronDown size={16} /> : <IconChevronRight size={16} />}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {plural(count, { one: '# revoked or expired key', other: '# revoked and expired keys' })}
      </Button>
      {isOpen && <InactiveList />}
    </section>
  );
}

function InactiveList() {
  const keys = useInactiveKeys();
  const list = keys.data?.pages.flatMap(({ data }) => data) ?? [];
  const fault = listFault(keys);
  return (
    <>
      {keys.isPending && <Loading height={88} />}
      {fault !== null && <ErrorState error={fault} onRetry={() => void keys.refetch()} />}
      <Stack gap="sm">
        {list.map((key) => (
          <KeyRow key={key.id} apiKey={key} />
        ))}
      </Stack>
      {keys.isSuccess && <EndOfList query={keys} count={list.length} />}
    </>
  );
}
