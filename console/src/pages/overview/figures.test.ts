import { attentionFigures, moneyFigures, volumeOf } from './figures.js';

const summary = {
  orders: {},
  volume: [],
  escrow: [],
  available: [{ currency: 'USD', amount: '12345678901234567.89' }],
  reserved: [],
  disputes: { open: 3, overdue: 0 },
  failingEndpoints: 0,
  countedSince: null,
} as unknown as Parameters<typeof moneyFigures>[0];

describe('the figures of the overview', () => {
  it('show amounts digit by digit, and zero where there is no currency yet', () => {
    expect(moneyFigures(summary).map(({ values }) => values)).toEqual([['0.00'], ['12,345,678,901,234,567.89 USD'], ['0.00']]);
  });

  it('are called changes where older events were not counted', () => {
    const since = moneyFigures({ ...summary, countedSince: '2026-01-31T12:00:00.000000Z' });
    expect(since.map(({ remark }) => remark)).toEqual(Array(3).fill('change since 31 Jan 2026'));
    expect(moneyFigures(summary).every(({ remark }) => remark === undefined)).toBe(true);
  });

  it('are alarming for overdue disputes and failing endpoints only', () => {
    expect(attentionFigures(summary).map(({ isAlarming = false }) => isAlarming)).toEqual([false, false]);
    const late = { ...summary, disputes: { open: 3, overdue: 1 }, failingEndpoints: 2 };
    expect(attentionFigures(late)).toMatchObject([
      { values: ['3'], remark: '1 overdue', isAlarming: true },
      { values: ['2'], isAlarming: true },
    ]);
  });
});

describe('the volume', () => {
  it('has a value for each day of the period, by currency', () => {
    const row = { date: '2026-01-02', currency: 'USD' as const, orders: 2, amount: '250.00' };
    const [series] = volumeOf({ volume: [row], from: '2026-01-01T00:00:00Z', to: '2026-01-04T00:00:00Z' });
    expect(series).toMatchObject({ currency: 'USD', amounts: [0, 250, 0], orders: [0, 2, 0] });
  });

  it('is empty without orders', () => {
    expect(volumeOf({ volume: [], from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' })).toEqual([]);
  });
});
