import { IsLinkToken } from '../links/link-token.decorator.js';

export class VerifyEmailDto {
  @IsLinkToken()
  token: string;
}
