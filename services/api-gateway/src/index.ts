export { createGateway, type Gateway, type GatewayParts } from './gateway.ts';
export { type GatewaySettings, gatewaySettings } from './settings.ts';
