import { amountOf, formatAmount, sumOf, unitsOf } from './format-amount.js';
import { formatDuration, formatSeconds, relativeTime } from './format-time.js';
import { httpsAddress } from './https-address.js';
import { reasonText, spokenOf, wordsOf } from '../ui/status-words.js';

describe('an amount', () => {
  it.each([
    ['0.00', '0.00'],
    ['999.99', '999.99'],
    ['1234567.50', '1,234,567.50'],
    ['-1000.0000001', '−1,000.0000001'],
    ['90071992547409931.07', '90,071,992,547,409,931.07'],
  ])('%s is shown as %s, without a digit less', (amount, shown) => {
    expect(formatAmount(amount)).toBe(shown);
  });

  it('that is none is shown as it is', () => {
    expect(formatAmount('<b>1</b>')).toBe('<b>1</b>');
  });

  it.each(['0.00', '12.34', '-0.0000001', '90071992547409931.07', '1.50'])('%s survives units and back', (amount) => {
    expect(amountOf(unitsOf(amount))).toBe(amount);
  });

  it('is added without floats', () => {
    expect(sumOf(['0.10', '0.20', '90071992547409931.07'])).toBe('90071992547409931.37');
    expect(sumOf([])).toBe('0.00');
  });
});

describe('a time', () => {
  const now = Date.parse('2026-01-31T12:00:00Z');
  it.each([
    ['2026-01-31T11:59:40Z', 'just now'],
    ['2026-01-31T11:55:00Z', '5 minutes ago'],
    ['2026-01-31T14:30:00Z', 'in 2 hours'],
    ['2026-01-28T12:00:00Z', '3 days ago'],
  ])('%s is %s', (instant, words) => {
    expect(relativeTime(instant, now)).toBe(words);
  });

  it('span is said in words', () => {
    expect(formatDuration('P3DT12H')).toBe('3 days 12 hours');
    expect(formatDuration('PT1M')).toBe('1 minute');
    expect([0, 1, 86_400, 180_061].map(formatSeconds)).toEqual([
      '0 seconds',
      '1 second',
      '1 day',
      '2 days 2 hours 1 minute 1 second',
    ]);
  });
});

describe('a constant of the platform', () => {
  it('is shown in words, and what a person wrote as it is', () => {
    expect([wordsOf('TOPUP_SUCCEEDED'), spokenOf('TOPUP_CREATED'), spokenOf('API_KEY_CREATED')]).toEqual([
      'Succeeded',
      'Top-up created',
      'API key created',
    ]);
    expect([reasonText('NOT_DELIVERED'), reasonText('It broke. VERY')]).toEqual(['not delivered', 'It broke. VERY']);
  });
});

describe('an address from outside', () => {
  it('can be followed with https only', () => {
    expect(httpsAddress('https://files.example/a b')).toBe('https://files.example/a%20b');
    const refused = [
      'javascript:alert(1)',
      'http://files.example',
      'data:text/html,x',
      'https://user:pass@a.example',
      ' https://a',
      'https://',
    ];
    expect(refused.map(httpsAddress)).toEqual(refused.map(() => undefined));
  });
});
