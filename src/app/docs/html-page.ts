import { ERROR_CODES } from '../../kernel/errors/error-codes.js';
import type { ErrorCodeEntry } from '../../kernel/errors/error-code-entry.js';
import { PLAN_LIMITS, PLANS } from '../../kernel/plans.js';
import { escapeHtml } from '../site/html-text.js';

/** The page to which the `type` of every problem document links. */
export function errorsHtml(): string {
  const sections = Object.entries<ErrorCodeEntry>(ERROR_CODES).map(
    ([code, entry]) => `<section id="${code}" class="error"><h2><code>${code}</code></h2>
<p class="soft">Status ${entry.status} · ${entry.retryable ? 'the same request may succeed later' : 'retrying the same request does not help'}</p>
<p><strong>${escapeHtml(entry.title)}.</strong> ${inlineCode(entry.text)}</p></section>`,
  );
  return `<h1>Errors</h1>
<p class="lead">Every error is a problem document (RFC 9457). Branch on <code>code</code>; quote <code>requestId</code> when you ask for help.</p>
${sections.join('\n')}`;
}

/** The page to which upgrade hints link. */
export function plansHtml(): string {
  const number = new Intl.NumberFormat('en');
  const rows = PLANS.map((plan) => {
    const limits = PLAN_LIMITS[plan];
    const cells =
      plan === 'enterprise'
        ? ['custom', 'custom', 'custom', 'custom']
        : [
            number.format(limits.rpm),
            number.format(limits.enhancements),
            `${number.format(limits.storageBytes / 2 ** 30)} GB`,
            number.format(limits.keys),
          ];
    return `<tr id="${plan}"><th scope="row">${plan[0]!.toUpperCase()}${plan.slice(1)}</th>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  });
  return `<h1>Plans and limits</h1>
<div class="table" tabindex="0"><table><thead><tr><th scope="col">Plan</th><th scope="col">Requests per minute per key</th><th scope="col">Enhancements per month</th><th scope="col">Storage</th><th scope="col">API keys</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>
<p class="soft">Enterprise limits are arranged with sales. The operator of this service changes the plan of an account.</p>`;
}

function inlineCode(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}
