import { isAppError } from '@holdfast/kernel/errors';
import { eventually } from '@holdfast/testing/eventually';
import { anOddProvider, type OddProvider } from './testing/odd-provider.js';

let odd: OddProvider;
beforeEach(async () => {
  odd = await anOddProvider();
});
afterEach(() => odd.close());

describe('the circuit breaker', () => {
  const refuse = () => odd.provider.cancelPayin('p1').catch(() => undefined);

  it('opens while the provider is down, and closes once it is back', async () => {
    odd.respond(503, '');
    await Promise.all(Array.from({ length: 20 }, refuse));
    await eventually(() => expect(odd.breakerStates).toContain('open'));
    const callsBefore = odd.paths.length;
    expect(await odd.provider.cancelPayin('p1').catch((error: unknown) => isAppError(error, 'SERVICE_UNAVAILABLE'))).toBe(true);
    expect(odd.paths.length - callsBefore).toBeLessThanOrEqual(1);
    odd.respond(200, { id: 'p1', code: 'topup_1', status: 'CREATED', amount: 10 });
    await eventually(async () => {
      await odd.provider.findPayin('p1').catch(() => undefined);
      expect(odd.breakerStates.at(-1)).toBe('closed');
    });
  });

  it('stays closed however often requests are refused', async () => {
    odd.respond(404, { code: '415031', message: 'Payin not found' });
    await Promise.all(Array.from({ length: 40 }, () => odd.provider.findPayin('p1')));
    expect(odd.breakerStates).toEqual([]);
  });
});
