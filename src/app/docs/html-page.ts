import { ERROR_CODES, type ErrorCodeEntry } from '../../kernel/error-codes.js';
import { PLAN_LIMITS, PLANS } from '../../kernel/plans.js';

const STYLE = `
  :root { color-scheme: light dark; --line: #d9dee5; --soft: #5b6675; }
  @media (prefers-color-scheme: dark) { :root { --line: #39414d; --soft: #a3adba; } }
  body { font: 16px/1.6 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
  h1 { font-size: 1.6rem } h2 { font-size: 1.1rem; margin: 0 0 .3rem }
  section { border-top: 1px solid var(--line); padding: 1rem 0 } section:target { outline: 2px solid #3b82f6; outline-offset: .5rem }
  code { font: 0.95em ui-monospace, monospace } p { margin: .3rem 0 } .soft { color: var(--soft) }
  table { border-collapse: collapse; width: 100% } th, td { text-align: left; padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line) }
`;

/** The page that the `type` of every problem document links to. */
export function errorsHtml(): string {
  const sections = Object.entries<ErrorCodeEntry>(ERROR_CODES).map(
    ([code, entry]) => `<section id="${code}"><h2><code>${code}</code></h2>
<p class="soft">status ${entry.status} · ${entry.retryable ? 'the same request may succeed later' : 'the same request will fail again'}</p>
<p><strong>${escapeHtml(entry.title)}.</strong> ${inlineCode(entry.text)}</p></section>`,
  );
  return page(
    'Errors',
    `<p>Every error is a problem document (RFC 9457). Branch on <code>code</code>; quote <code>requestId</code> when you ask for help.</p>${sections.join('\n')}`,
  );
}

/** The page that upgrade hints link to. */
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
    return `<tr id="${plan}"><th>${plan[0]!.toUpperCase()}${plan.slice(1)}</th>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  });
  return page(
    'Plans',
    `<table><thead><tr><th>Plan</th><th>Requests a minute and key</th><th>Enhancements a month</th><th>Storage</th><th>API keys</th></tr></thead><tbody>${rows.join('')}</tbody></table>
<p class="soft">Enterprise limits are arranged with sales. The operator of this service changes the plan of an account.</p>`,
  );
}

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title} · Image Enhancement Service</title><style>${STYLE}</style></head><body><p><a href="../docs">API reference</a></p><h1>${title}</h1>${body}</body></html>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function inlineCode(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}
