export { createGateway, type Gateway, type GatewayParts } from './gateway.ts';
export { type Pages, pagesNotBuilt, remotePages } from './pages.ts';
export { demandPublicUrl, type GatewaySettings, gatewaySettings } from './settings.ts';
