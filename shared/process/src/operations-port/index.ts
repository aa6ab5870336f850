export * from './operations-port.js';
export { type HealthProbes, type Probes, createHealthProbes, httpProbe } from './health-probes.js';
