/** Version of the product and of its API documents. `npm run release` changes it. */
export const VERSION = '0.1.0';
