export { assertNoneParked, type Parked } from './assert-none-parked.js';
