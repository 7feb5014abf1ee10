import { describe, expect, it } from 'vitest';
import { renderLetter } from './letter.js';

const SERVICE = 'https://images.example/base';

const htmlOf = (closing: string): string =>
  renderLetter({ language: 'en', subject: 'Subject', paragraphs: [], closing: [closing] }, SERVICE).html;

describe('the HTML version of an email', () => {
  it('has links to pages of the service, also without a button', () => {
    expect(htmlOf(`Choose a new password: ${SERVICE}/forgot-password`)).toContain(
      `Choose a new password: <a href="${SERVICE}/forgot-password"`,
    );
    expect(htmlOf(`See ${SERVICE}/account & more`)).toContain(`>${SERVICE}/account</a> &amp; more</p>`);
  });

  it('has no links to other sites', () => {
    for (const text of ['https://evil.example/login', `${SERVICE}.evil.example/login`, `${SERVICE}/"><b>`]) {
      const html = htmlOf(text);
      expect(html).not.toContain('href="https://evil');
      expect(html).not.toContain('href="https://images.example/base.evil');
      expect(html).not.toContain('<b>');
    }
  });
});
