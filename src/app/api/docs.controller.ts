import { Controller, Get, Header } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../../common/access/access.decorator.js';
import { errorsHtml, plansHtml } from '../docs/html-page.js';

const CSP = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

/** The pages that problem documents and upgrade hints link to. */
@ApiExcludeController()
@Controller('docs')
@Public()
export class DocsController {
  @Get('errors')
  @Header('Content-Type', 'text/html; charset=utf-8')
  @Header('Content-Security-Policy', CSP)
  errors(): string {
    return errorsHtml();
  }

  @Get('plans')
  @Header('Content-Type', 'text/html; charset=utf-8')
  @Header('Content-Security-Policy', CSP)
  plans(): string {
    return plansHtml();
  }
}
