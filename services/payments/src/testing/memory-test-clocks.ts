import { instantAfter, type Clock } from '@holdfast/kernel/instants';
import type { MemoryTables } from '@holdfast/testing/memory';
import type { Topup } from '../domain/topup.js';
import type { Deps } from '../use-cases/ports.js';
import type { PaymentTables } from './memory-rows.js';

export function memoryTestClocks({ committed, inTransaction }: MemoryTables<PaymentTables>, clock: Clock): Deps['testClocks'] {
  const isExpired = ({ status, expiresAt }: Topup, aheadSeconds: number): boolean =>
    (status === 'TOPUP_CREATED' || status === 'TOPUP_AWAITING_USER_CONFIRMATION') &&
    expiresAt <= instantAfter(clock.now(), `PT${aheadSeconds}S`);
  const offsetOf = (marketplaceId: string): number => committed().testClocks.get(marketplaceId) ?? 0;
  return {
    offsetSeconds: async (marketplaceId) => offsetOf(marketplaceId),
    timeAt: async (marketplaceId, at) => {
      const aheadSeconds = offsetOf(marketplaceId);
      return aheadSeconds === 0 ? at : instantAfter(at, `PT${aheadSeconds}S`);
    },
    remaining: async (marketplaceId) => {
      const { topups, runs } = committed();
      const expired = [...topups.values()].filter(
        (topup) =>
          topup.marketplaceId === marketplaceId &&
          isExpired(topup, offsetOf(marketplaceId)) &&
          (topup.nextPollAt !== null || topup.status === 'TOPUP_CREATED'),
      );
      const open = [...runs.values()].filter((run) => run.marketplaceId === marketplaceId && run.outcome === null);
      return [
        ...expired.map(({ id, expiresAt: dueAt }) => ({ kind: 'topup-expiry', id, dueAt })),
        ...open.map(({ saga, id }) => ({ kind: saga, id, dueAt: null })),
      ];
    },
    handleAdvanced: ({ id, payload: { marketplaceId, offsetSeconds } }) =>
      inTransaction(({ tables: { inbox, testClocks, topups } }) => {
        if (inbox.has(id)) return;
        inbox.set(id, true);
        testClocks.set(marketplaceId, Math.max(offsetSeconds, testClocks.get(marketplaceId) ?? 0));
        for (const topup of [...topups.values()].filter((each) => each.marketplaceId === marketplaceId))
          if (isExpired(topup, offsetSeconds) && topup.nextPollAt !== null)
            topups.set(topup.id, { ...topup, nextPollAt: clock.now() });
      }),
  };
}
