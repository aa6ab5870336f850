export { manualClock, type ManualClock } from './manual-clock.js';
