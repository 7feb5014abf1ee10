import { All, Controller } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { AnyScope } from '../../common/access.decorator.js';
import { AppError } from '../../kernel/app-error.js';

/**
 * Everything under /api that no other route serves: the key is checked and counted like anywhere else,
 * so that every answer to a valid key carries its rate limit, this 404 included.
 */
@ApiExcludeController()
@Controller('api')
export class UnknownRouteController {
  @All('*')
  @AnyScope()
  unknown(): never {
    throw new AppError('not_found', {
      detail: 'There is no such operation. The address /docs lists them all.',
    });
  }
}
