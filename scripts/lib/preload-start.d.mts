import type { Plugin } from 'vite';

export function preloadStart(): Plugin;
