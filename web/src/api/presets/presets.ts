import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { EnhancementStep, Output } from 'image-enhancement-client';
import { request } from '../client.js';

/** A saved recipe with a name. */
export interface Preset {
  readonly name: string;
  readonly operations: readonly EnhancementStep[];
  readonly output?: Output;
  readonly isBuiltIn: boolean;
}

interface PresetList {
  readonly presets: readonly Preset[];
}

const PRESETS_KEY = ['presets'] as const;
const STALE_MS = 60_000;

const pathOf = (name: string): string => `/ai/presets/${encodeURIComponent(name)}`;

/** The built-in presets, then those of the account. Other tabs and members change them, too. */
export function usePresets() {
  return useQuery({
    queryKey: PRESETS_KEY,
    queryFn: ({ signal }) => request<PresetList>({ method: 'GET', path: '/ai/presets' }, { signal }),
    staleTime: STALE_MS,
    refetchOnWindowFocus: 'always',
  });
}

export type SavePreset = Pick<Preset, 'name' | 'operations' | 'output'>;

/** Saves a new preset, or replaces the one with the same name. */
export function useSavePreset() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ name, ...body }: SavePreset) =>
      request<Preset>({ method: 'PUT', path: pathOf(name), body }),
    onSuccess: (saved) => {
      changePresets(client, (presets) => [...presets.filter(({ name }) => name !== saved.name), saved]);
      void client.invalidateQueries({ queryKey: PRESETS_KEY });
    },
  });
}

export function useDeletePreset() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => request<undefined>({ method: 'DELETE', path: pathOf(name) }),
    onSuccess: (_nothing, name) =>
      changePresets(client, (presets) => presets.filter((preset) => preset.name !== name)),
    onSettled: () => void client.invalidateQueries({ queryKey: PRESETS_KEY }),
  });
}

/** Shows the outcome of a change before the presets are read again. */
function changePresets(client: QueryClient, change: (presets: readonly Preset[]) => readonly Preset[]): void {
  client.setQueryData<PresetList>(PRESETS_KEY, (list) => list && { presets: change(list.presets) });
}
