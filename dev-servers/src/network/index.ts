export { findFreePort, findFreePorts } from './find-free-ports.js';
