export { admissionSettings, settings as gatewaySettings, type AdmissionSettings, type ServiceUrls } from './config.js';
export { startGateway, type GatewayOptions } from './gateway.js';
export type { GatewayDatabase } from './store/open-gateway-database.js';
