export { admissionSettings, settings as gatewaySettings } from './config.js';
export { startGateway } from './gateway.js';
