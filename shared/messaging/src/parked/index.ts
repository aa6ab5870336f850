export { parkedMessages, type ParkedMessage, type ParkedMessages } from './parked-messages.js';
export { redriveParked } from './redrive-parked.js';
