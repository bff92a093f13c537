export { createGateway, type Gateway, type GatewayParts } from './gateway.ts';
export { pagesNotBuilt } from './pages/no-pages.ts';
export type { Pages } from './pages/pages.ts';
export { remotePages } from './pages/remote-pages.ts';
export { demandPublicUrl, type GatewaySettings, gatewaySettings } from './settings.ts';
