import type { ModelVersion } from '#src/models/repository/model-version.js';
import type { ModelRoute } from '#src/models/manifest/model-route.js';
import type { Enhancer } from '#src/inference/enhancer.js';
import { enhanced } from '#src/models/check/enhanced.js';
import type { ContactSheetRow } from '#src/cli/contact-sheet/contact-sheet.js';
import { asPng } from '#src/cli/models/sheet/sheet-files.js';
import { versionText } from '#src/cli/models/version-name.js';
import { AppError } from '#src/kernel/app-error.js';
import { type Level, LEVELS } from '#src/kernel/operations.js';
import type { RawImage } from '#src/kernel/pixels.js';

/** The result of one version for one picture. */
interface Attempt {
  /** Null when the version rejected the picture. */
  readonly result: RawImage | null;
  readonly refusal: string | null;
  readonly seconds: number;
}

/** Measures of one level over all pictures. `a` and `b` are the two versions in the given order. */
export interface LevelMeasures {
  readonly level: Level;
  readonly pictures: number;
  readonly secondsPerMegapixel: { readonly a: number; readonly b: number };
  readonly refused: { readonly a: number; readonly b: number };
  /** Mean absolute difference from the source, 0–255; null when the results differ from it in size. */
  readonly changed: { readonly a: number | null; readonly b: number | null };
  /** Mean absolute difference between the two results, 0–255; null when their sizes differ. */
  readonly apart: number | null;
  /** Why a difference is null; null where it is not. */
  readonly unmeasured: {
    readonly changed: { readonly a: Unmeasured | null; readonly b: Unmeasured | null };
    readonly apart: Unmeasured | null;
  };
}

/** `size`: the two pictures differ in size. `refused`: there is no result. */
export type Unmeasured = 'size' | 'refused';

/** Accumulates measures picture by picture, and creates a row of the sheet for each. */
export class PictureComparison {
  readonly rows: ContactSheetRow[] = [];
  private readonly levels = new Map(LEVELS.map((level) => [level, new LevelSums(level)]));

  constructor(
    private readonly versions: readonly [ModelVersion, ModelVersion],
    private readonly enhancer: Enhancer,
  ) {}

  async add(name: string, source: RawImage, level: Level): Promise<void> {
    const [a, b] = [
      await this.attempt(this.versions[0].routes[level], source),
      await this.attempt(this.versions[1].routes[level], source),
    ];
    this.levels.get(level)!.add(source, a, b);
    const [before, after] = [a.result ?? source, b.result ?? source];
    if (before.width * after.height !== after.width * before.height) return;
    this.rows.push({
      title: `${name}, ${level}`,
      subtitle: this.versions.map((version, index) => caption(version, [a, b][index]!)).join('   '),
      before: await asPng(before),
      after: await asPng(after),
      names: [pictureName(this.versions[0], a), pictureName(this.versions[1], b)],
    });
  }

  measures(): readonly LevelMeasures[] {
    return [...this.levels.values()].filter(({ pictures }) => pictures > 0).map((sums) => sums.measures());
  }

  private async attempt(route: ModelRoute, source: RawImage): Promise<Attempt> {
    const startMs = performance.now();
    const seconds = (): number => (performance.now() - startMs) / 1000;
    try {
      const result = await enhanced(this.enhancer, route, source);
      return { result, refusal: null, seconds: seconds() };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { result: null, refusal: error.code, seconds: seconds() };
    }
  }
}

/** What the sheet shows of a version. */
function pictureName({ manifest, version }: ModelVersion, { result }: Attempt): string {
  return result === null
    ? 'Source'
    : versionText({ operation: manifest.operation, version: String(version) });
}

function caption({ manifest, version }: ModelVersion, { refusal, seconds }: Attempt): string {
  return `${manifest.name} version ${version}: ${refusal ?? `${seconds.toFixed(2)} s`}`;
}

/** The sums of one level. */
class LevelSums {
  pictures = 0;
  private megapixels = 0;
  private readonly sides = [new SideSums(), new SideSums()] as const;
  private readonly apart = new Mean();

  constructor(private readonly level: Level) {}

  add(source: RawImage, a: Attempt, b: Attempt): void {
    this.pictures += 1;
    this.megapixels += (source.width * source.height) / 1e6;
    this.sides[0].add(source, a);
    this.sides[1].add(source, b);
    if (a.result !== null && b.result !== null) this.apart.add(difference(a.result, b.result));
  }

  measures(): LevelMeasures {
    const [a, b] = this.sides;
    const { level, pictures, megapixels, apart } = this;
    return {
      level,
      pictures,
      secondsPerMegapixel: { a: a.seconds / megapixels, b: b.seconds / megapixels },
      refused: { a: a.refused, b: b.refused },
      changed: { a: a.changed.value(), b: b.changed.value() },
      apart: apart.value(),
      unmeasured: {
        changed: { a: a.changed.unmeasured(), b: b.changed.unmeasured() },
        apart: apart.unmeasured(),
      },
    };
  }
}

class SideSums {
  seconds = 0;
  refused = 0;
  readonly changed = new Mean();

  add(source: RawImage, { result, seconds }: Attempt): void {
    this.seconds += seconds;
    if (result === null) this.refused += 1;
    else this.changed.add(difference(result, source));
  }
}

/** The mean of numbers. Null values, of pictures that differ in size, are skipped. */
class Mean {
  private sum = 0;
  private count = 0;
  private skipped = 0;

  add(value: number | null): void {
    if (value === null) {
      this.skipped += 1;
      return;
    }
    this.sum += value;
    this.count += 1;
  }

  value(): number | null {
    return this.count === 0 ? null : this.sum / this.count;
  }

  /** Why there is no mean. */
  unmeasured(): Unmeasured | null {
    if (this.count > 0) return null;
    return this.skipped > 0 ? 'size' : 'refused';
  }
}

/** Mean absolute difference of all values, 0–255. A picture without alpha counts as opaque. Null when sizes differ. */
export function difference(a: RawImage, b: RawImage): number | null {
  if (a.width !== b.width || a.height !== b.height) return null;
  const channels = Math.max(a.channels, b.channels);
  const size = a.width * a.height;
  let sum = 0;
  for (let pixel = 0; pixel < size; pixel++)
    for (let channel = 0; channel < channels; channel++)
      sum += Math.abs(valueAt(a, pixel, channel) - valueAt(b, pixel, channel));
  return sum / (size * channels);
}

function valueAt({ data, channels }: RawImage, pixel: number, channel: number): number {
  return channel < channels ? data[pixel * channels + channel]! : 255;
}
