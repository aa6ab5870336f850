export { declaredMetrics } from './declared-metrics.js';
