export * from './ids.js';
export * from './payout-memo-hash.js';
