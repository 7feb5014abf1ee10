import type { LazyRouteFunction, RouteObject } from 'react-router';
import { PageFault } from './page-fault.js';

/**
 * A page that is loaded when it is first opened. If loading fails, it shows an error page, because the router shows
 * nothing for a route whose `lazy` was rejected, not even its `errorElement`. `reloadWhenOutdated` reloads everything.
 * @param children pages inside it
 */
export function lazyPage(
  path: string,
  load: () => Promise<React.ComponentType>,
  children?: RouteObject[],
): RouteObject {
  const lazy: LazyRouteFunction<RouteObject> = async () => ({ Component: await load().catch(faultPage) });
  return { path, lazy, errorElement: <PageFault />, ...(children !== undefined && { children }) };
}

function faultPage(fault: unknown): React.ComponentType {
  return () => <PageFault fault={fault} />;
}
