import type { Envelope } from '@holdfast/contracts/messages';
import { systemClock } from '@holdfast/kernel/context';
import { idFactory } from '@holdfast/kernel/ids';
import { eventually } from '@holdfast/testing/eventually';
import type { RunningAdapter } from './running-adapter.js';
import type { WalletTestbed } from './running-wallets.js';

/** The part of a running adapter that the builders of orders use, for a whole service on a testbed. */
export function adapterOf({ publish, published, sandbox }: WalletTestbed): RunningAdapter {
  const waitForReply = (orderId: string, ...types: readonly string[]): Promise<Envelope> =>
    eventually(() => {
      const found = published.find(
        ({ type, payload }) => types.includes(type) && (payload as { readonly orderId?: string }).orderId === orderId,
      );
      if (found === undefined) throw new Error(`none of ${types.join()} so far`);
      return found;
    });
  return { newId: idFactory(systemClock().epochMs), publish, waitForReply, sandbox } as unknown as RunningAdapter;
}
