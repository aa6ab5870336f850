export { asking, type Answer, type AskedBy, type Asking } from './asking.js';
export { ignoringOthers } from './ignoring-others.js';
export { openObservedBroker, type ObservedBroker } from './observed-broker.js';
export { sagaOf } from './saga-of.js';
export { startStandIn } from './stand-in.js';
