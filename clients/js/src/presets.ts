import type { Preset, PresetList, SavePreset } from './generated/schema.js';
import { ApiPromise } from './http/api-promise.js';
import { deleteOnce } from './http/delete-once.js';
import type { Transport } from './http/transport.js';
import type { RequestOptions } from './options.js';

/** Saved presets: chains of operations with output options, under a name. */
export class Presets {
  constructor(private readonly transport: Transport) {}

  /** The built-in presets, then those of the account by name. */
  list(options: RequestOptions = {}): ApiPromise<Preset[]> {
    return ApiPromise.of(async (onResponse) => {
      const request = { method: 'GET', path: PATH, onResponse } as const;
      return (await this.transport.json<PresetList>(request, options)).presets;
    });
  }

  /** @throws NotFoundError `preset_not_found` */
  get(name: string, options: RequestOptions = {}): ApiPromise<Preset> {
    return this.transport.json({ method: 'GET', path: pathOf(name) }, options);
  }

  /** Creates or replaces a preset. Existing jobs do not change. @throws ConflictError if it is built in */
  save(name: string, preset: SavePreset, options: RequestOptions = {}): ApiPromise<Preset> {
    return this.transport.json({ method: 'PUT', path: pathOf(name), body: preset }, options);
  }

  /** @throws NotFoundError; ConflictError if it is built in */
  async delete(name: string, options: RequestOptions = {}): Promise<void> {
    await deleteOnce(this.transport, pathOf(name), options);
  }
}

const PATH = '/ai/presets';
const pathOf = (name: string): string => `${PATH}/${encodeURIComponent(name)}`;
