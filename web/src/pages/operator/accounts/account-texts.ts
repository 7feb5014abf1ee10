import { t } from '@lingui/core/macro';

export const PLANS = ['free', 'personal', 'business', 'enterprise'] as const;

export const STATUS_TEXTS = { active: t`Active`, suspended: t`Suspended` } as const;
