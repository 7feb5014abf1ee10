import { Catch, Inject, Injectable } from '@nestjs/common';
import type { ProblemDocument } from '../../common/problems/problem.js';
import { ProblemFilter, type ProblemResponse } from '../../common/problems/problem.filter.js';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { removeBgErrors } from './removebg-errors.js';
import { isAccountGone, isRepeatable } from '../../infra/database/database-errors.js';

/** Formats errors like remove.bg, including those of the guards. */
@Catch()
@Injectable()
export class RemoveBgFilter extends ProblemFilter {
  constructor(@Inject(CONFIG) { publicUrl }: Config) {
    super(publicUrl, isRepeatable, isAccountGone);
  }

  protected override responseOf(problem: ProblemDocument): ProblemResponse {
    return { ...removeBgErrors(problem), type: 'application/json' };
  }
}
