export { createGateway, type Gateway, type GatewayParts } from './gateway.ts';
export { pagesNotBuilt, remotePages } from './pages.ts';
export { demandPublicUrl, gatewaySettings } from './settings.ts';
