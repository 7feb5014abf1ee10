/**
 * A Vite plugin that lets the browser fetch the application while the language loads. Without it, the page would need
 * one more round trip.
 * @returns {import('vite').Plugin}
 */
export function preloadStart() {
  return {
    name: 'preload-start',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const start = Object.values(bundle ?? {}).find((part) =>
          part.facadeModuleId?.endsWith('app/start.tsx'),
        );
        if (start === undefined) return html;
        return [start.fileName, ...start.imports]
          .filter((file) => !html.includes(file))
          .map((file) => ({
            tag: 'link',
            // After the script that the first paint depends on.
            injectTo: 'head',
            attrs: { rel: 'modulepreload', crossorigin: true, href: `/${file}` },
          }));
      },
    },
  };
}
