import { All, Controller } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { AnyScope, OptionalKey } from '../../common/access/access.decorator.js';
import { AppError } from '../../kernel/app-error.js';

/**
 * Everything that no other route serves. Under /api the key is checked and counted like anywhere else, and
 * elsewhere if one is sent, so that every answer to a valid key carries its rate limit, this 404 included.
 */
@ApiExcludeController()
@Controller()
export class UnknownRouteController {
  @All('api/*')
  @AnyScope()
  unknownOperation(): never {
    throw notFound();
  }

  @All('*')
  @OptionalKey()
  unknownAddress(): never {
    throw notFound();
  }
}

function notFound(): AppError {
  return new AppError('not_found', {
    detail: 'This route does not exist. See /docs for all routes.',
  });
}
