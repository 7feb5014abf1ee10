import { t } from '@lingui/core/macro';
import type { AuditEvent } from '../../api/schema.js';

const TEXTS: Readonly<Record<string, string>> = {
  'sign_in.succeeded': t`Signed in`,
  'sign_in.failed': t`Sign-in failed`,
  sign_out: t`Signed out`,
  'session.revoked': t`Signed out another device`,
  'password.changed': t`Password changed`,
  'password.reset': t`Password replaced with a temporary one`,
  'account.suspended': t`Account suspended`,
  'account.resumed': t`Account resumed`,
  'account.created': t`Account created`,
  'account.deleted': t`Account deleted`,
  'account.sign_up_repeated': t`Sign-up with the address of an existing account`,
  'impersonation.started': t`An operator signed in as this account, to read`,
  'impersonation.ended': t`An operator signed out of this account`,
  'plan.changed': t`Plan changed`,
  'result_cache.changed': t`Result cache turned on or off`,
  'key.created': t`API key created`,
  'key.updated': t`API key changed`,
  'key.rotated': t`API key rotated`,
  'key.revoked': t`API key revoked`,
  'invitation.created': t`Member invited`,
  'invitation.renewed': t`New invitation link created`,
  'invitation.revoked': t`Invitation revoked`,
  'invitation.accepted': t`Invitation accepted`,
  'member.added': t`Member added`,
  'member.role_changed': t`Member's role changed`,
  'member.removed': t`Member removed`,
  'member.left': t`Member left`,
  'member.switched': t`Switched to this organization`,
  'operator.granted': t`Operator role granted`,
  'operator.revoked': t`Operator role revoked`,
  'endpoint.created': t`Webhook endpoint created`,
  'endpoint.updated': t`Webhook endpoint changed`,
  'endpoint.disabled': t`Webhook endpoint disabled`,
  'endpoint.deleted': t`Webhook endpoint deleted`,
  'job.rerun': t`Failed job run again by an operator`,
  'preset.created': t`Preset created`,
  'preset.updated': t`Preset changed`,
  'preset.deleted': t`Preset deleted`,
  'share_link.created': t`Share link created`,
  'share_link.revoked': t`Share link revoked`,
  'callback_secret.rotated': t`Callback signing secret replaced`,
  'endpoint.secret_rotated': t`Webhook signing secret replaced`,
};

/** The title of an action in the reader's language. Actions without a text use the title from the service. */
export function actionText({ action, title }: Pick<AuditEvent, 'action' | 'title'>): string {
  return TEXTS[action] ?? title;
}
