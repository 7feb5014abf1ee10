import { IsLinkToken } from '../../auth/links/link-token.decorator.js';

export class UseImpersonationLinkDto {
  @IsLinkToken()
  token: string;
}
