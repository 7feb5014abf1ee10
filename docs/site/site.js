// Search while typing, the theme, and buttons that copy code. Every page works without this script.
'use strict';

const SCHEME = 'mantine-color-scheme-value';

/** The dashboard keeps its theme under the same name. */
function storedScheme() {
  try {
    return window.localStorage.getItem(SCHEME);
  } catch {
    return null;
  }
}

function isDark() {
  const stored = storedScheme();
  if (stored === 'light' || stored === 'dark') return stored === 'dark';
  return window.matchMedia('(prefers-color-scheme: dark)').matches;
}

// Before the first paint, so that a dark page never flashes white.
document.documentElement.dataset.theme = isDark() ? 'dark' : 'light';

function addThemeButton() {
  const button = document.querySelector('.theme');
  const show = () => {
    const theme = isDark() ? 'dark' : 'light';
    document.documentElement.dataset.theme = theme;
    button.textContent = theme === 'dark' ? 'Light' : 'Dark';
    button.setAttribute('aria-label', `Use the ${button.textContent.toLowerCase()} theme`);
  };
  button.addEventListener('click', () => {
    try {
      window.localStorage.setItem(SCHEME, isDark() ? 'light' : 'dark');
    } catch {
      // Storage may be forbidden; the system's choice stays then.
    }
    show();
  });
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', show);
  button.hidden = false;
  show();
}

function hitElement({ href, page, title, excerpt }, root) {
  const link = document.createElement('a');
  link.href = new URL(href, root).href;
  for (const [name, text] of [
    ['strong', title],
    ['span', page],
    ['small', excerpt],
  ]) {
    const part = document.createElement(name);
    part.textContent = text;
    link.append(part);
  }
  return link;
}

function addSearch() {
  const form = document.querySelector('.search');
  const input = form.querySelector('input');
  const list = form.querySelector('.hits');
  const root = new URL('./', form.action);
  let latest = 0;
  let timer;
  const ask = async () => {
    latest += 1;
    const mine = latest;
    const query = input.value.trim();
    if (query === '') {
      list.hidden = true;
      return;
    }
    const address = new URL('search.json', root);
    address.searchParams.set('q', query);
    const response = await fetch(address);
    if (!response.ok || mine !== latest) return;
    const hits = await response.json();
    if (mine !== latest) return;
    list.replaceChildren(...hits.slice(0, 8).map((hit) => hitElement(hit, root)));
    if (hits.length === 0) list.textContent = 'Nothing was found.';
    list.hidden = false;
  };
  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      ask().catch(() => undefined);
    }, 120);
  });
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') list.hidden = true;
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    const links = [input, ...list.querySelectorAll('a')];
    const next = links[links.indexOf(document.activeElement) + (event.key === 'ArrowDown' ? 1 : -1)];
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
  });
  document.addEventListener('click', (event) => {
    if (!form.contains(event.target)) list.hidden = true;
  });
  document.addEventListener('keydown', (event) => {
    const isTyping = /^(?:INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? '');
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    input.focus();
  });
}

/**
 * Copies text. Browsers have no clipboard API over plain HTTP, except on localhost. The older copy command still works.
 * @returns whether the text was copied
 */
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    area.setAttribute('aria-hidden', 'true');
    area.style.position = 'fixed';
    area.style.opacity = '0';
    document.body.append(area);
    area.select();
    const isCopied = document.execCommand('copy');
    area.remove();
    return isCopied;
  }
}

function addCopyButtons() {
  for (const block of document.querySelectorAll('pre')) {
    const frame = document.createElement('div');
    frame.className = 'code';
    block.replaceWith(frame);
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Copy';
    button.addEventListener('click', () => {
      const show = (isCopied) => {
        button.textContent = isCopied ? 'Copied' : 'Not allowed';
        button.focus();
      };
      copyText(block.textContent).then(show, () => show(false));
      setTimeout(() => (button.textContent = 'Copy'), 2_000);
    });
    frame.append(block, button);
  }
}

/** A language that was chosen once is shown everywhere. */
function rememberLanguage() {
  const key = 'docs-language';
  const choose = (language) => {
    for (const tab of document.querySelectorAll('.samples input')) {
      if (tab.dataset.language === language) tab.checked = true;
    }
  };
  try {
    choose(window.localStorage.getItem(key));
  } catch {
    return;
  }
  document.addEventListener('change', ({ target }) => {
    const language = target.dataset?.language;
    if (language === undefined) return;
    const before = target.getBoundingClientRect().top;
    choose(language);
    window.scrollBy(0, target.getBoundingClientRect().top - before);
    window.localStorage.setItem(key, language);
  });
}

document.addEventListener('DOMContentLoaded', () => {
  addThemeButton();
  addSearch();
  addCopyButtons();
  rememberLanguage();
});
