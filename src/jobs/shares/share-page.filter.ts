import { Catch, Inject, Injectable } from '@nestjs/common';
import type { ProblemDocument } from '../../common/problems/problem.js';
import { ProblemFilter, type ProblemResponse } from '../../common/problems/problem.filter.js';
import type { FastifyRequest } from '../../common/requests/request-context.js';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { SHARE_PAGE_HEADERS, sharePageWithout } from './share-page.js';
import { sharePageTexts } from './share-page-texts.js';
import { isRepeatable } from '../../infra/database/database-errors.js';

/** Sends errors of the page of a link as a page, because its readers are people. */
@Catch()
@Injectable()
export class SharePageFilter extends ProblemFilter {
  constructor(@Inject(CONFIG) { publicUrl }: Config) {
    super(publicUrl, isRepeatable);
  }

  protected override responseOf({ status }: ProblemDocument, { headers }: FastifyRequest): ProblemResponse {
    const body = sharePageWithout('unavailable', sharePageTexts(headers['accept-language']));
    return { status, type: 'text/html; charset=utf-8', headers: SHARE_PAGE_HEADERS, body };
  }
}
