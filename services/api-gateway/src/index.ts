export { createGateway, type Gateway, type GatewayParts } from './gateway.ts';
export { pagesNotBuilt, remotePages } from './pages.ts';
export { gatewaySettings, requirePublicUrl } from './settings.ts';
