import { custodyAssets } from '@holdfast/kernel/money';
import { creditedCurrency } from './credited-currency.js';

describe('the currency of a deposit', () => {
  it('is the currency of the asset', () => {
    expect(custodyAssets.map(creditedCurrency('asset'))).toEqual(['USDC', 'XLM']);
  });

  it('is the base currency for USDC, if the setting says so', () => {
    expect(custodyAssets.map(creditedCurrency('base'))).toEqual(['USD', 'XLM']);
  });
});
