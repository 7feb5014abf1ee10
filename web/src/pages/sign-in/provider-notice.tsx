import { t } from '@lingui/core/macro';
import { Notice } from '../../components/notices/notice.js';

export interface ProviderNoticeProps {
  /** The operator's name for the provider. */
  readonly name: string;
  /** The parameters that the service added to the URL of this page. */
  readonly parameters: URLSearchParams;
}

/** The outcome of a sign-in with the OpenID provider that did not create a session. */
export function ProviderNotice({ name, parameters }: ProviderNoticeProps) {
  if (parameters.get('step') === 'link')
    return (
      <Notice tone="info" role="status" title={t`You already have an account`}>
        {t`Sign in once as before, with your password or a passkey. After that, you can sign in with ${name}.`}
      </Notice>
    );
  const fault = faultOf(parameters.get('fault'), name);
  if (fault === undefined) return null;
  return (
    <Notice tone="bad" role="alert" title={fault.title}>
      {fault.detail}
    </Notice>
  );
}

interface Fault {
  readonly title: string;
  readonly detail: string;
}

function faultOf(code: string | null, name: string): Fault | undefined {
  switch (code) {
    case 'provider_unavailable':
      return {
        title: t`${name} doesn't respond`,
        detail: t`Try again in a moment, or sign in another way.`,
      };
    case 'provider_declined':
      return {
        title: t`${name} didn't sign you in`,
        detail: t`You canceled, or ${name} doesn't allow you to use this service.`,
      };
    case 'provider_refused':
      return {
        title: t`${name} didn't sign you in`,
        detail: t`Try again. If this happens again, tell the operator of this service.`,
      };
    case 'sign_in_expired':
      return {
        title: t`The sign-in has expired`,
        detail: t`It took too long, or was opened in another browser. Start again.`,
      };
    case 'email_not_verified':
      return {
        title: t`No verified email address`,
        detail: t`${name} hasn't verified your email address. Verify it there, then try again.`,
      };
    case 'email_not_allowed':
      return {
        title: t`This email address can't be used`,
        detail: t`Your email address at ${name} belongs to a domain that isn't allowed to sign in here.`,
      };
    case 'account_suspended':
      return {
        title: t`Your account is suspended`,
        detail: t`Contact the operator of this service.`,
      };
    case 'sign_up_closed':
      return {
        title: t`You don't have an account`,
        detail: t`Sign-up is closed. Ask the operator of this service for an account.`,
      };
    case 'too_many_attempts':
      return { title: t`Too many attempts`, detail: t`Wait a moment, then try again.` };
    case 'service_unavailable':
      return {
        title: t`The sign-in failed`,
        detail: t`The service has a problem. Try again in a moment.`,
      };
    default:
      return undefined;
  }
}
