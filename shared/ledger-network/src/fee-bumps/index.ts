export { type FeeBumps, type FeeBumpsDeps, createFeeBumps } from './fee-bumps.js';
export { type SignFeeBump, buildFeeBump, innerFeeOf } from './fee-bump.js';
export { bidUnitsMin } from './fee-bid.js';
