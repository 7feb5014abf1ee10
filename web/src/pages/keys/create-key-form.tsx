import { Button, Checkbox, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../api/api-error.js';
import type { NewKey } from '../../api/keys.js';
import { DEFAULT_SCOPES, SCOPE_TEXTS, SCOPES } from '../../api/scopes.js';
import { ErrorState } from '../../components/error-state.js';
import { EXPIRIES, expiresAt } from './expiry.js';

export interface CreateKeyFormProps {
  readonly isBusy: boolean;
  readonly error: Error | null;
  readonly onSubmit: (key: NewKey) => void;
  readonly onCancel: () => void;
}

/** Name, scopes and expiry of a key to be. */
export function CreateKeyForm({ isBusy, error, onSubmit, onCancel }: CreateKeyFormProps) {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly string[]>(DEFAULT_SCOPES);
  const [expiry, setExpiry] = useState('never');
  const nameFault =
    error instanceof ApiError ? error.fields.find(({ field }) => field === 'name')?.message : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const end = expiresAt(expiry, Date.now());
    onSubmit({ name: name.trim(), scopes, ...(end === null ? {} : { expiresAt: end }) });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {error !== null && nameFault === undefined && <ErrorState error={error} />}
        <TextInput
          label="Name"
          description="Where it will be used, for instance “Shop backend”"
          required
          withAsterisk={false}
          maxLength={80}
          data-autofocus
          value={name}
          error={nameFault}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Checkbox.Group
          label="Scopes"
          description="What the key may do. Give it no more than it needs."
          value={[...scopes]}
          onChange={setScopes}
        >
          <Stack gap="xs" mt="xs">
            {SCOPES.map((scope) => (
              <Checkbox key={scope} value={scope} label={scope} description={SCOPE_TEXTS[scope]} />
            ))}
          </Stack>
        </Checkbox.Group>
        <NativeSelect
          label="Expires"
          value={expiry}
          onChange={(event) => setExpiry(event.currentTarget.value)}
          data={EXPIRIES.map(({ value, label }) => ({ value, label }))}
        />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={isBusy} disabled={scopes.length === 0}>
            Create key
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
