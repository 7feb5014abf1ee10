import type { FieldError } from '../../kernel/app-error.js';
import { DEFAULT_LEVEL, type Level, LEVELS } from '../../kernel/operations.js';
import type { ExactSize } from '../../kernel/step-options.js';
import { invalidRequest } from '../../common/validation/validation.pipe.js';
import type { CatalogOperation } from '../../models/repository/described-versions.js';
import type { EnhancementStepDto } from './enhancement-step.dto.js';
import { exactSize, isReached } from './exact-size.js';

/** A step of a request with its options resolved. */
export interface ResolvedStep {
  readonly level: Level;
  readonly strength?: number;
  readonly resize?: ExactSize;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * Resolves the options of a step. What an operation accepts depends on its model: `strength` where the levels differ in
 * strength, `scale`, `width` and `height` where it enlarges.
 * @param image that the step reads
 * @param fieldOf the path of a field in the request
 * @throws AppError `invalid_request` with every option that the operation does not take, or a size that it cannot reach
 */
export function resolveStep(
  step: EnhancementStepDto,
  operation: CatalogOperation,
  image: Size,
  fieldOf: (name: string) => string,
): ResolvedStep {
  const faults = optionFaults(step, operation, fieldOf);
  if (faults.length > 0) throw invalidRequest(faults);
  const { strength } = step;
  const isSized = step.width !== undefined || step.height !== undefined;
  const resize = isSized ? exactSize(image, step) : undefined;
  const level = levelOf(step, operation, image, resize);
  if (resize !== undefined && !isReached(image, resize, operation.scales[level])) {
    const scale = operation.scales[level];
    const most = `${image.width * scale} × ${image.height * scale}`;
    const field = fieldOf(step.width === undefined ? 'height' : 'width');
    const message = `${field} asks for ${resize.width} × ${resize.height} pixels. Level ${level} can enlarge ${image.width} × ${image.height} pixels to at most ${most}.`;
    throw invalidRequest([{ field, code: 'range', message }]);
  }
  return { level, ...(strength !== undefined && { strength }), ...(resize && { resize }) };
}

/**
 * The options of a step that its operation does not take, or that contradict each other, whatever the image.
 * @param fieldOf the path of a field in the request
 */
export function optionFaults(
  step: EnhancementStepDto,
  operation: CatalogOperation,
  fieldOf: (name: string) => string,
): FieldError[] {
  const refuse = (option: string, reason: string): FieldError => {
    const field = fieldOf(option);
    return { field, code: 'conflict', message: `${field} ${reason}` };
  };
  const { operation: name, scales, strengths, producesAlpha } = operation;
  const faults: FieldError[] = [];
  if (step.strength !== undefined && strengths === undefined)
    faults.push(refuse('strength', `is not an option of ${name}. Omit it, or choose a level.`));
  if (step.mask !== undefined && !producesAlpha)
    faults.push(
      refuse('mask', `is not an option of ${name}, which does not remove the background. Omit it.`),
    );
  const offered = [...new Set(LEVELS.map((level) => scales[level]))].toSorted((a, b) => a - b);
  if (Math.max(...offered) === 1) {
    const given = (['scale', 'width', 'height', 'fit'] as const).filter((field) => step[field] !== undefined);
    return [
      ...faults,
      ...given.map((field) => refuse(field, `is not an option of ${name}, which does not enlarge. Omit it.`)),
    ];
  }
  if (step.fit !== undefined && (step.width === undefined || step.height === undefined))
    faults.push(refuse('fit', 'needs width and height. Add them, or omit fit.'));
  if (step.scale !== undefined && !offered.includes(step.scale))
    faults.push(
      refuse('scale', `must be ${offered.join(' or ')} for ${name}. For other sizes, use width and height.`),
    );
  else if (step.scale !== undefined && step.level !== undefined && scales[step.level] !== step.scale)
    faults.push(
      refuse(
        'scale',
        `does not match level ${step.level}, which enlarges by ${scales[step.level]}. Omit one of them.`,
      ),
    );
  return faults;
}

/**
 * The level of a step. Without one, the scale chooses it, or the requested size: the default level where that is enough,
 * otherwise the first one that is.
 */
function levelOf(
  { level, scale }: EnhancementStepDto,
  { scales }: CatalogOperation,
  image: Size,
  resize: ExactSize | undefined,
): Level {
  if (level !== undefined) return level;
  const isEnough = (candidate: Level): boolean =>
    scale === undefined
      ? resize === undefined || isReached(image, resize, scales[candidate])
      : scales[candidate] === scale;
  const byScale = LEVELS.toSorted((a, b) => scales[a] - scales[b]);
  return [DEFAULT_LEVEL, ...byScale].find(isEnough) ?? byScale.at(-1)!;
}
