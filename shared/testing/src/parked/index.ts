export { assertNoneParked, type Parked } from './assert-none-parked.js';
export { memoryParked, type MemoryParked } from './memory-parked.js';
