import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../infra/database/database.js';
import { AppError } from '../../kernel/app-error.js';
import type { JobRequestDto } from '../creation/create-job.dto.js';
import { type Expanded, refuseContradictions } from '../creation/requested-steps.js';
import { builtInPreset } from './built-in-presets.js';
import type { Preset } from './preset.js';
import { PresetsRepository } from './presets.repository.js';

/** Finds presets, and replaces the one that a request names with its operations and output. */
@Injectable()
export class PresetExpansion {
  constructor(private readonly presets: PresetsRepository) {}

  /**
   * The request with the operations of its preset. Its own `output` replaces that of the preset; an accepted format
   * only its format.
   * @throws AppError `invalid_request` unless it says what to do in exactly one way; `preset_not_found`
   */
  async expand<Dto extends JobRequestDto>(
    on: Queryable,
    accountId: string,
    dto: Dto,
  ): Promise<Expanded<Dto>> {
    refuseContradictions(dto);
    const { preset: presetName, acceptedFormat: format, ...request } = dto;
    if (presetName === undefined) return request;
    const preset = await this.find(on, accountId, presetName);
    const output =
      dto.output ?? (format === undefined ? preset.output : Object.assign({}, preset.output, { format }));
    const operations = [...preset.operations];
    return { ...request, ...(output && { output }), operations, presetName };
  }

  /** @throws AppError `preset_not_found` */
  async find(on: Queryable, accountId: string, name: string): Promise<Preset> {
    const preset = builtInPreset(name) ?? (await this.presets.find(on, accountId, name));
    if (preset !== undefined) return preset;
    throw presetNotFound(name);
  }
}

export function presetNotFound(name: string): AppError {
  const message = `There is no preset "${name}" in your account. GET /api/ai/presets lists all of them.`;
  return new AppError('preset_not_found', {
    detail: message,
    errors: [{ field: 'preset', code: 'not_found', message }],
  });
}
