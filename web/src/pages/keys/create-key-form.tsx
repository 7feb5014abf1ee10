import { t } from '@lingui/core/macro';
import { Checkbox, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { KeyOrder } from '../../api/keys/keys.js';
import type { Key } from '../../api/schema.js';
import { fieldFault } from '../../api/problem.js';
import { DEFAULT_SCOPES, type Scope, SCOPE_TEXTS, SCOPES } from '../../api/keys/scopes.js';
import { ErrorState } from '../../components/notices/error-state.js';
import { parseAllowedIps, shownAllowedIp } from './allowed-ips.js';
import { CUSTOM, dayFault, expiresAt } from './expiry.js';
import { ExpiryField, KEEP } from './expiry-field.js';
import { DialogButtons } from '../../components/dialogs/dialog-buttons.js';

export interface KeyRoom {
  readonly live: boolean;
  readonly test: boolean;
}

export interface CreateKeyFormProps {
  /** The key to edit; absent for a new key. */
  readonly apiKey?: Key;
  /** The modes that have room for one more key. Only for a new key. */
  readonly room?: KeyRoom;
  readonly isBusy: boolean;
  readonly error: Error | null;
  readonly onSubmit: (key: KeyOrder) => void;
  readonly onCancel: () => void;
}

/** Name, scopes, expiry and allowed addresses of a key. */
export function CreateKeyForm({ apiKey, room, isBusy, error, onSubmit, onCancel }: CreateKeyFormProps) {
  const [name, setName] = useState(apiKey?.name ?? '');
  const [scopes, setScopes] = useState<Scope[]>(apiKey?.scopes ?? [...DEFAULT_SCOPES]);
  const [expiry, setExpiry] = useState(apiKey?.expiresAt ? KEEP : 'never');
  const [day, setDay] = useState('');
  const [isTest, setIsTest] = useState(room?.live === false);
  const [ownFault, setOwnFault] = useState<string>();
  const [ips, setIps] = useState((apiKey?.allowedIps ?? []).map(shownAllowedIp).join('\n'));
  const [nameFault, ipsFault] = [fieldFault(error, 'name'), fieldFault(error, 'allowedIps')];
  const expiryFault = ownFault ?? fieldFault(error, 'expiresAt');
  const isShownBelow = [nameFault, ipsFault, expiryFault].some((fault) => fault !== undefined);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const fault = expiry === CUSTOM ? dayFault(day, Date.now()) : undefined;
    setOwnFault(fault);
    if (fault !== undefined) return;
    const end = expiry === KEEP ? {} : { expiresAt: expiresAt(expiry, day, Date.now()) };
    const mode = room === undefined ? {} : { livemode: !isTest };
    onSubmit({ name: name.trim(), scopes, allowedIps: parseAllowedIps(ips), ...end, ...mode });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {error !== null && !isShownBelow && <ErrorState error={error} />}
        <TextInput
          label={t`Name`}
          description={t`Where it will be used, for example “Shop backend”`}
          required
          withAsterisk={false}
          maxLength={80}
          data-autofocus
          value={name}
          error={nameFault}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {room !== undefined && (
          <Switch
            label={t`Test key`}
            description={testKeyText(room)}
            checked={isTest}
            disabled={!room.live || !room.test}
            onChange={(event) => setIsTest(event.currentTarget.checked)}
          />
        )}
        <Checkbox.Group
          label={t`Scopes`}
          description={t`What the key can do. Grant only what it needs.`}
          value={scopes}
          onChange={setScopes}
        >
          <Stack gap="xs" mt="xs">
            {SCOPES.map((scope) => (
              <Checkbox key={scope} value={scope} label={scope} description={SCOPE_TEXTS[scope]} />
            ))}
          </Stack>
        </Checkbox.Group>
        <ExpiryField
          current={apiKey?.expiresAt}
          value={expiry}
          day={day}
          error={expiryFault}
          onChange={(value) => {
            setExpiry(value);
            setOwnFault(undefined);
          }}
          onDay={(value) => {
            setDay(value);
            setOwnFault(undefined);
          }}
        />
        <Textarea
          label={t`Allowed IP addresses`}
          description={t`One address or network per line, for example 203.0.113.7 or 2001:db8::/32. Leave empty to allow all.`}
          autosize
          minRows={2}
          maxRows={6}
          spellCheck={false}
          value={ips}
          error={ipsFault}
          onChange={(event) => setIps(event.currentTarget.value)}
        />
        <DialogButtons
          action={apiKey === undefined ? t`Create key` : t`Save changes`}
          isBusy={isBusy}
          isDisabled={scopes.length === 0}
          onCancel={onCancel}
        />
      </Stack>
    </form>
  );
}

function testKeyText({ live, test }: KeyRoom): string {
  if (!live) return t`All live keys in your plan are in use, so this key is for test mode.`;
  if (!test) return t`All test keys are in use. Revoke one to create another.`;
  return t`Results are instant, watermarked and free. They are kept separate from live results.`;
}
