import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { parseManifest } from '../repository/parse-manifest.js';
import { MODEL_FILE_LIMITS, ModelFile } from '../files/model-file.js';
import { Catalog } from '../repository/catalog.js';
import { ModelVersion } from '../repository/model-version.js';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';

/** The description of a model for its users. */
export interface ModelCard {
  readonly engine: string | null;
  readonly license: string | null;
  readonly trainedOn: string | null;
  /** The README next to the model, as Markdown; empty without one that can be read. */
  readonly card: string;
}

const UNKNOWN: ModelCard = { engine: null, license: null, trainedOn: null, card: '' };

/** Reads the files next to a model. Versions never change, so each is read once. */
@Injectable()
export class ModelCards {
  private readonly cards = new Map<string, Promise<ModelCard>>();

  constructor(
    private readonly catalog: Catalog,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** The card of a version. Everything is unknown for a version that only a worker elsewhere has. */
  cardOf(operation: string, version: number): Promise<ModelCard> {
    const name = `${operation}/${version}`;
    const known = this.cards.get(name) ?? this.read(operation, version);
    this.cards.set(name, known);
    return known;
  }

  private async read(operation: string, version: number): Promise<ModelCard> {
    const loaded = this.catalog.loaded().find((one) => isVersion(one, operation, version));
    const folder = loaded?.folder ?? join(this.config.modelsDir, operation, String(version));
    try {
      const manifest = loaded?.manifest ?? (await manifestIn(folder));
      const { engine, license, trainedOn } = manifest;
      const card = await textOf(folder, 'README.md', MODEL_FILE_LIMITS.readmeBytes).catch(() => '');
      return { engine, license, trainedOn, card };
    } catch {
      this.cards.delete(`${operation}/${version}`);
      return UNKNOWN;
    }
  }
}

function isVersion({ manifest, version }: ModelVersion, operation: string, wanted: number): boolean {
  return manifest.operation === operation && version === wanted;
}

async function manifestIn(
  folder: string,
): Promise<Pick<ModelVersion['manifest'], 'engine' | 'license' | 'trainedOn'>> {
  const text = await textOf(folder, 'manifest.json', MODEL_FILE_LIMITS.manifestBytes);
  return parseManifest(text) as ModelVersion['manifest'];
}

async function textOf(folder: string, name: string, maxBytes: number): Promise<string> {
  const bytes = await ModelFile.with(folder, name, { maxBytes }, (file) => file.bytes());
  return bytes.toString('utf8');
}
