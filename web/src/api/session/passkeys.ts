import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { request } from '../client.js';
import type { PasskeyList, PasskeyOptions } from '../schema.js';
import { requestSession } from './session.js';
import { useSessionChange } from './session-actions.js';

const PASSKEYS_KEY = ['passkeys'] as const;

/** Loaded on first use. */
const ceremony = () => import('@simplewebauthn/browser');

/** The passkeys of the user. */
export function usePasskeys() {
  return useQuery({
    queryKey: PASSKEYS_KEY,
    queryFn: ({ signal }) => request<PasskeyList>({ method: 'GET', path: '/passkeys' }, { signal }),
    refetchOnMount: 'always',
  });
}

function useListChange<Variables>(change: (variables: Variables) => Promise<PasskeyList>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (list) => client.setQueryData(PASSKEYS_KEY, list),
    onError: () => client.invalidateQueries({ queryKey: PASSKEYS_KEY }),
  });
}

export interface PasskeyToAdd {
  readonly name: string;
  readonly password: string;
}

/** Asks the browser for a new passkey. */
export function useAddPasskey() {
  return useListChange(async ({ name, password }: PasskeyToAdd) => {
    const { options } = await request<PasskeyOptions>({
      method: 'POST',
      path: '/passkeys/options',
      body: { password },
    });
    const { startRegistration } = await ceremony();
    const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
    const response = await startRegistration({ optionsJSON });
    return request<PasskeyList>({ method: 'POST', path: '/passkeys', body: { name, response } });
  });
}

export function useRenamePasskey() {
  return useListChange(({ id, name }: { readonly id: string; readonly name: string }) =>
    request<PasskeyList>({ method: 'PATCH', path: `/passkeys/${id}`, body: { name } }),
  );
}

export function useRemovePasskey() {
  return useListChange((id: string) => request<PasskeyList>({ method: 'DELETE', path: `/passkeys/${id}` }));
}

/** Signs in with a passkey that the user chooses in the browser. */
export function usePasskeySignIn() {
  const change = useSessionChange();
  return useMutation({
    mutationFn: async () => {
      const { startAuthentication } = await ceremony();
      const { options } = await request<PasskeyOptions>({
        method: 'POST',
        path: '/sign-in/passkey/options',
        body: {},
      });
      const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
      const response = await startAuthentication({ optionsJSON });
      return requestSession({ method: 'POST', path: '/sign-in/passkey', body: { response } });
    },
    onSuccess: change,
  });
}
