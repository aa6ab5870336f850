import type { ServiceClient } from '@holdfast/http/service-client';
import { idFactory } from '@holdfast/kernel/ids';
import { resolvePayment } from './resolve-payment.js';

it('npm run sagas -- resolve of a payment says where it reads the API key, and sends nothing without one', async () => {
  const printed = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  const call = jest.fn();
  const options = { id: idFactory(() => 0)('wd'), outcome: 'failed', by: 'Ada', evidence: 'ticket 7' } as const;
  expect(await resolvePayment({ call } as unknown as ServiceClient, options, undefined)).toBe(1);
  expect(printed.mock.calls.flat().join()).toContain('HOLDFAST_API_KEY must hold an API key with the scope support');
  expect(call).not.toHaveBeenCalled();
  printed.mockRestore();
});
