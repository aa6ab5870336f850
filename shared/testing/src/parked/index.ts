export { refuseParked, type Parked } from './refuse-parked.js';
