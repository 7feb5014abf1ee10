import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Patch, Post, Req } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse } from '@nestjs/swagger';
import { SignedIn } from '../../common/access/access.decorator.js';
import type { FastifyRequest } from '../../common/requests/request-context.js';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { languageOf } from '../../mail/language.js';
import type { Session } from '../sessions/session.js';
import { CurrentSession } from '../sessions/session.decorator.js';
import { PasswordConfirmationDto } from '../two-factor/two-factor.dto.js';
import {
  NewPasskeyDto,
  passkeyListDto,
  PasskeyListDto,
  PasskeyOptionsDto,
  RenamePasskeyDto,
} from './passkey.dto.js';
import { Passkeys } from './passkeys.js';
import { relyingPartyOf } from './relying-party.js';

/** The passkeys of the user. */
@Controller('dashboard/api/passkeys')
@SignedIn('required')
export class PasskeysController {
  constructor(
    private readonly passkeys: Passkeys,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get()
  @ApiOkResponse({ type: PasskeyListDto })
  async list(@CurrentSession() session: Session): Promise<PasskeyListDto> {
    return passkeyListDto(await this.passkeys.list(session));
  }

  /** Options for `navigator.credentials.create`. */
  @Post('options')
  @HttpCode(200)
  @ApiOkResponse({ type: PasskeyOptionsDto })
  async options(
    @CurrentSession() session: Session,
    @Body() { password }: PasswordConfirmationDto,
    @Req() { headers }: FastifyRequest,
  ): Promise<PasskeyOptionsDto> {
    const party = relyingPartyOf(headers, this.config.publicUrl);
    return { options: await this.passkeys.beginAdding(session, party, password) };
  }

  @Post()
  @ApiCreatedResponse({ type: PasskeyListDto })
  async add(
    @CurrentSession() session: Session,
    @Body() { name, response }: NewPasskeyDto,
    @Req() { headers }: FastifyRequest,
  ): Promise<PasskeyListDto> {
    const language = languageOf(headers['accept-language']);
    const party = relyingPartyOf(headers, this.config.publicUrl);
    await this.passkeys.add(session, party, { name, response, language });
    return passkeyListDto(await this.passkeys.list(session));
  }

  @Patch(':id')
  @ApiOkResponse({ type: PasskeyListDto })
  async rename(
    @CurrentSession() session: Session,
    @Param('id') id: string,
    @Body() { name }: RenamePasskeyDto,
  ): Promise<PasskeyListDto> {
    await this.passkeys.rename(session, id, name);
    return passkeyListDto(await this.passkeys.list(session));
  }

  @Delete(':id')
  @HttpCode(200)
  @ApiOkResponse({ type: PasskeyListDto })
  async remove(
    @CurrentSession() session: Session,
    @Param('id') id: string,
    @Req() { headers }: FastifyRequest,
  ): Promise<PasskeyListDto> {
    await this.passkeys.remove(session, id, languageOf(headers['accept-language']));
    return passkeyListDto(await this.passkeys.list(session));
  }
}
