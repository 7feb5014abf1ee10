import { t } from '@lingui/core/macro';
import { Checkbox, Stack, Switch, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { CreateEndpoint } from 'image-enhancement-client';
import { fieldFault } from '../../../api/problem.js';
import { useEventTypes } from '../../../api/webhooks/webhook-endpoints.js';
import { ErrorState } from '../../../components/notices/error-state.js';
import { Loading } from '../../../components/notices/loading.js';
import { Prose } from '../../../components/text/prose.js';
import { eventsToSend, hasEvery } from './event-choice.js';
import classes from './endpoint-form.module.css';
import { DialogButtons } from '../../../components/dialogs/dialog-buttons.js';

export interface EndpointFormProps {
  /** The initial values of the fields. */
  readonly url: string;
  /** Null if nothing was selected yet. */
  readonly events: NonNullable<CreateEndpoint['events']> | null;
  readonly description: string;
  readonly action: string;
  readonly isBusy: boolean;
  readonly error: Error | null;
  /** Without `events` if an edit leaves them as they are. */
  readonly onSubmit: (endpoint: CreateEndpoint) => void;
  readonly onCancel: () => void;
}

/** URL, events, and description of an endpoint. */
export function EndpointForm(props: EndpointFormProps) {
  const { action, isBusy, error, onSubmit, onCancel } = props;
  const [url, setUrl] = useState(props.url);
  const [isEvery, setIsEvery] = useState(props.events === null || hasEvery(props.events));
  const [selected, setSelected] = useState<readonly string[]>(isEvery ? [] : (props.events ?? []));
  const [description, setDescription] = useState(props.description);
  const types = useEventTypes();
  const events = eventsToSend({ before: props.events, isEvery, selected, types: types.data ?? [] });
  const urlFault = fieldFault(error, 'url');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit({
      url: url.trim(),
      ...(events === undefined ? {} : { events }),
      description: description.trim() === '' ? null : description.trim(),
    });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {error !== null && urlFault === undefined && <ErrorState error={error} />}
        <TextInput
          label={t`Address`}
          description={t`An HTTPS URL that is reachable from the internet. For a receiver on your own machine or network, ask the operator of this service to allow its address, or use a tunnel.`}
          placeholder={t`https://example.com/webhooks`}
          type="url"
          required
          withAsterisk={false}
          data-autofocus
          value={url}
          error={urlFault}
          onChange={(event) => setUrl(event.currentTarget.value)}
        />
        <TextInput
          label={t`Description (optional)`}
          maxLength={500}
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
        <Switch
          label={t`All events`}
          description={t`Each event once, without its aliases`}
          checked={isEvery}
          onChange={(event) => setIsEvery(event.currentTarget.checked)}
        />
        {!isEvery && types.isPending && <Loading height={240} />}
        {types.isLoadingError && <ErrorState error={types.error} onRetry={() => void types.refetch()} />}
        {!isEvery && types.data !== undefined && (
          <Checkbox.Group label={t`Events`} value={[...selected]} onChange={setSelected}>
            <Stack gap="xs" mt="xs" className={classes['events'] ?? ''}>
              {types.data.map(({ type, description: text, aliasOf }) => (
                <Checkbox
                  key={type}
                  value={type}
                  label={type}
                  description={<Prose text={aliasOf === null ? text : t`Alias of ${aliasOf}`} />}
                />
              ))}
            </Stack>
          </Checkbox.Group>
        )}
        <div className={classes['actions']}>
          <DialogButtons
            action={action}
            isBusy={isBusy}
            isDisabled={events?.length === 0}
            onCancel={onCancel}
          />
        </div>
      </Stack>
    </form>
  );
}
