export { admissionSettings, settings as gatewaySettings, type AdmissionSettings } from './config.js';
export type { ConsoleSession, ConsoleSignIn } from './console-session.js';
export { startGateway } from './gateway.js';
export { isLoopback } from './loopback.js';
export { metrics } from './metrics.js';
export { gatewayMigrations } from './store/open-gateway-database.js';
