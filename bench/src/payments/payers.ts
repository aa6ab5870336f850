import { z } from 'zod';
import { createHttpClient } from '@holdfast/http/client';
import type { OrdersPlatform } from '../orders/start-orders-platform.js';

export type Payers = {
  /** One top-up of one of the users, until it is credited. */
  readonly topUp: () => Promise<void>;
  /** One withdrawal to a bank account, until it is paid out and deducted. */
  readonly withdraw: () => Promise<void>;
  readonly close: () => Promise<void>;
};

const usersCount = 64;
const amount = '10.00';
const funds = '1000000.00';
const connectionsMax = 64;
const timeoutMs = 60_000;

const responseBody = z.object({ data: z.looseObject({ id: z.string().optional(), status: z.string().optional() }) });
type Answer = z.output<typeof responseBody>['data'];

/** Users with money and linked payment accounts: what is measured is the payment and nothing before it. */
export async function openPayers({ baseUrls, key }: OrdersPlatform): Promise<Payers> {
  const [baseUrl] = baseUrls;
  if (baseUrl === undefined) throw new Error('there is no gateway');
  const errors = { unavailable: 'SERVICE_UNAVAILABLE', timedOut: 'SERVICE_UNAVAILABLE' } as const;
  const client = createHttpClient({ baseUrl, timeoutMs, connectionsMax, errors });
  const headers = { authorization: `Bearer ${key}` };
  const post = async (path: string, body: unknown = {}): Promise<Answer> =>
    (await client.request({ method: 'POST', path, headers, body, responseSchema: responseBody })).data;
  const userIds: string[] = [];
  for (let index = 0; index < usersCount; index += 1) {
    const { id = '' } = await post('/users', { externalUserId: `payer-${index.toString()}` });
    await post(`/users/${id}/balance/credit`, { amount: funds });
    await post(`/users/${id}/payment-account/link`, { email: `payer-${index.toString()}@example.com` });
    userIds.push(id);
  }
  let payments = 0;
  const nextUser = (): string => {
    payments += 1;
    return userIds[payments % userIds.length] ?? '';
  };
  return {
    topUp: async () => {
      const { id = '' } = await post('/topups', { userId: nextUser(), amount });
      requireStatus(await post(`/topups/${id}/refresh`), 'TOPUP_SUCCEEDED');
    },
    withdraw: async () => {
      const destination = { type: 'bank', accountRef: 'account-7' };
      const { id = '' } = await post('/withdrawals', { userId: nextUser(), amount, currency: 'USD', destination, commit: true });
      requireStatus(await post(`/withdrawals/${id}/refresh`), 'WITHDRAWAL_COMPLETED');
    },
    close: client.close,
  };
}

function requireStatus({ status }: Answer, wanted: string): void {
  if (status !== wanted) throw new Error(`the status is ${String(status)}, not ${wanted}`);
}
