export * from './arithmetic.js';
export * from './money.js';
