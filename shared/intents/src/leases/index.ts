export { type LeaseHandle, type LeaseLimits, LeaseTimedOut, type Leases, createLeases } from './leases.js';
