import { Injectable } from '@nestjs/common';
import { psnrOf } from '../../models/serving/difference-measure.js';
import { medianOf } from '../../models/serving/shadow/difference-buckets.js';
import { MAX_LOST, ShadowFiguresRepository } from '../../models/serving/shadow/shadow-figures.repository.js';
import type { ShadowFiguresDto } from './shadow.dto.js';

/** How the results of a shadow differ from those of the serving version. Only for operators. */
@Injectable()
export class ShadowFigures {
  constructor(private readonly repository: ShadowFiguresRepository) {}

  /** Undefined without a shadow. */
  async read(operation: string): Promise<ShadowFiguresDto | undefined> {
    const found = await this.repository.read(operation);
    if (found === undefined) return undefined;
    const { version, serving, compared, dropped, failed, lost, lastFailure, isMatte } = found;
    const { squaredError, servingMs, shadowMs, worstPercent, buckets } = found;
    return {
      version,
      serving,
      compared,
      dropped,
      failed,
      lost,
      isPaused: lost >= MAX_LOST,
      lastFailure,
      measure: isMatte === null ? null : isMatte ? 'matte' : 'color',
      medianPercent: limited(medianOf(buckets), worstPercent),
      worstPercent,
      psnrDb: isMatte === false ? psnrOf(squaredError / compared) : null,
      servingMs: compared === 0 ? null : servingMs / compared,
      shadowMs: compared === 0 ? null : shadowMs / compared,
      timeRatio: servingMs === 0 ? null : shadowMs / servingMs,
    };
  }
}

/** The median is within 5% of its value, which must not exceed the exact largest difference. */
function limited(median: number | null, worst: number | null): number | null {
  return median === null || worst === null ? median : Math.min(median, worst);
}
