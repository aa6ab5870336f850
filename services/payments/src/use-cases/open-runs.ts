import { isId } from '@holdfast/kernel/ids';
import type { DrivenRuns } from '@holdfast/sagas';
import { caseKind, topupKind, withdrawalKind } from './aggregate-kinds.js';
import type { Deps } from './ports.js';

/** Lets the saga runtime act on the top-ups, withdrawals and cases of open runs. */
export function drivenRuns({ runs, settings: { unabortedAfterMs }, inTransaction }: Deps): DrivenRuns {
  return {
    service: 'payments',
    runs,
    unabortedAfterMs,
    onAggregate: ({ aggregateId: id }, act) =>
      inTransaction(async (tx) => {
        const topup = isId(id, 'topup') ? await tx.topups.lock(id) : undefined;
        if (topup !== undefined) return act(tx, topupKind, topup);
        const withdrawal = isId(id, 'wd') ? await tx.withdrawals.lock(id) : undefined;
        if (withdrawal !== undefined) return act(tx, withdrawalKind, withdrawal);
        const found = isId(id, 'rcc') ? await tx.cases.lock(id) : undefined;
        return found !== undefined && act(tx, caseKind, found);
      }),
  };
}
