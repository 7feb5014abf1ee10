import type { LinguiConfigNormalized } from '@lingui/conf';
import type { Plugin } from 'vite';

export function linguiConfig(): LinguiConfigNormalized;
export function lingui(): Plugin;
