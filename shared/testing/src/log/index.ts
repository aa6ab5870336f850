export { collectingLog, silentLog, type CollectingLog, type LogLine } from './logs.js';
