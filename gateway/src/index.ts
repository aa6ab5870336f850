export { settings as gatewaySettings, type ServiceUrls } from './config.js';
export { startGateway, type GatewayOptions } from './gateway.js';
