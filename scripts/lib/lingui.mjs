import { transformAsync } from '@babel/core';
import { createCompiledCatalog, getCatalogForFile, getCatalogs } from '@lingui/cli/api';
import { getConfig } from '@lingui/conf';
import { join, relative } from 'node:path';
import { ROOT } from './paths.mjs';

/** The settings of the message catalogs. */
export function linguiConfig() {
  return getConfig({ configPath: join(ROOT, 'web', 'lingui.config.ts'), skipValidation: true });
}

/**
 * A Vite plugin that compiles the texts of the dashboard into catalog lookups, and catalogs (`.po`) into modules.
 * English stays in the code, so readers of English load no catalog.
 * @returns {import('vite').Plugin}
 */
export function lingui() {
  const config = linguiConfig();
  return {
    name: 'lingui',
    enforce: 'pre',
    async transform(code, id) {
      const [path] = id.split('?');
      if (path.endsWith('.po')) return catalogModule(config, path);
      if (!/\.tsx?$/.test(path) || !/@lingui\/(?:core|react)\/macro/.test(code)) return undefined;
      const result = await transformAsync(code, {
        filename: path,
        configFile: false,
        babelrc: false,
        sourceMaps: true,
        parserOpts: { plugins: path.endsWith('x') ? ['typescript', 'jsx'] : ['typescript'] },
        plugins: [['@lingui/babel-plugin-lingui-macro', { stripMessageField: false, linguiConfig: config }]],
      });
      return { code: result.code, map: result.map };
    },
  };
}

async function catalogModule(config, path) {
  const found = getCatalogForFile(relative(config.rootDir, path), await getCatalogs(config));
  const messages = await found.catalog.getTranslations(found.locale, { sourceLocale: 'en' });
  const { source } = createCompiledCatalog(found.locale, messages.messages, { namespace: 'es' });
  return { code: source, map: null };
}
