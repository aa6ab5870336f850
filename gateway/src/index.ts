export { gatewaySettings, serviceUrlSettings, type ServiceUrls } from './config.js';
export { startGateway, type GatewayOptions } from './gateway.js';
