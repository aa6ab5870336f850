import { callsOfOrder } from './provider-calls.js';

const milestone = { ref: 'm', title: 'Delivered', units: 1n };

describe('the provider calls of an order', () => {
  it.each([
    ['single-release', 1, 6],
    ['single-release', 3, 10],
    ['multi-release', 3, 12],
  ] as const)('%s with %i milestones: %i', (type, count, calls) => {
    expect(callsOfOrder({ type, milestones: Array.from({ length: count }, () => milestone) })).toBe(calls);
  });
});
