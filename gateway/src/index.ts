export { admissionSettings, settings as gatewaySettings, type AdmissionSettings } from './config.js';
export { startGateway } from './gateway.js';
<<<<<<< HEAD
export { metrics } from './metrics.js';
export { gatewayMigrations } from './store/open-gateway-database.js';
=======
export { gatewayMigrations } from './store/open-gateway-database.js';
export { metrics } from './metrics.js';
>>>>>>> images
