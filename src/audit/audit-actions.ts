/** Every action in the audit log, with its description for the dashboard and `admin audit`. */
export const AUDIT_ACTIONS = {
  'sign_in.succeeded': 'Signed in',
  'sign_in.failed': 'Sign-in failed',
  sign_out: 'Signed out',
  'password.changed': 'Password changed',
  'account.created': 'Account created',
  'account.deleted': 'Account deleted',
  'account.sign_up_repeated': 'Sign-up with the address of an existing account',
  'plan.changed': 'Plan changed',
  'result_cache.changed': 'Result cache turned on or off',
  'key.created': 'API key created',
  'key.updated': 'API key changed',
  'key.rotated': 'API key rotated',
  'key.revoked': 'API key revoked',
  'member.added': 'Member added',
  'member.role_changed': 'Role of a member changed',
  'member.removed': 'Member removed',
  'member.left': 'Member left',
  'member.switched': 'Switched to this organization',
  'endpoint.created': 'Webhook endpoint created',
  'endpoint.updated': 'Webhook endpoint changed',
  'endpoint.disabled': 'Webhook endpoint disabled',
  'endpoint.deleted': 'Webhook endpoint deleted',
  'preset.created': 'Preset created',
  'preset.updated': 'Preset changed',
  'preset.deleted': 'Preset deleted',
  'callback_secret.rotated': 'Callback signing secret replaced',
  'endpoint.secret_rotated': 'Webhook signing secret replaced',
  'secrets.rotated': 'Service key rotated',
  'secrets.retired': 'Older service keys removed',
  'restore.completed': 'Backup restored',
  'restore.held': 'Newer objects held',
  'restore.released': 'Newer objects released',
} as const;

export type AuditAction = keyof typeof AUDIT_ACTIONS;

export const AUDIT_ACTION_NAMES = Object.keys(AUDIT_ACTIONS) as readonly AuditAction[];
