import type { balanceTopupCredited, balanceTopupRefused, Envelope, Payload } from '@holdfast/contracts/messages';
import type { Published } from '@holdfast/contracts/sagas';
import type { Context } from '@holdfast/kernel/context';
import type { Topup } from '../domain/topup.js';
import { topupKind } from './aggregate-kinds.js';
import { paymentProviderSource } from './apply-payin-update.js';
import { handleReply } from './handle-reply.js';
import { openCase } from './open-case.js';
import type { Deps, UnitOfWork } from './ports.js';
import { fail, succeed, unchanged } from './topup-changes.js';

export function handleTopupCredited(
  deps: Deps,
  message: Envelope<Payload<typeof balanceTopupCredited>>,
  ctx: Context,
): Promise<Published<'topup.succeeded'>> {
  const { topupId, newAvailableBalance } = message.payload;
  const lock = (tx: UnitOfWork): Promise<Topup | undefined> => tx.topups.lock(topupId);
  return handleReply(deps, { message, kind: topupKind, lock }, ctx, (topup) => succeed(topup, newAvailableBalance));
}

/** The provider has the money, so a case holds it until a person decides. */
export function handleTopupRefused(
  deps: Deps,
  message: Envelope<Payload<typeof balanceTopupRefused>>,
  ctx: Context,
): Promise<Published<'topup.failed'>> {
  const { topupId, code, details } = message.payload;
  const lock = (tx: UnitOfWork): Promise<Topup | undefined> => tx.topups.lock(topupId);
  return handleReply(deps, { message, kind: topupKind, lock }, ctx, async (topup, tx) => {
    const { id, marketplaceId, userId, amount, providerPayinId } = topup;
    const source = { origin: 'payins', source: paymentProviderSource, sourceId: providerPayinId ?? id } as const;
    const found = { kind: 'late_money', marketplaceId, userId, amount, ...source, reason: refusedText, relatedId: id } as const;
    await openCase(tx, found, ctx);
    const failed = fail(unchanged({ ...topup, isInCase: true }), { reason: refusedText, errorCode: code });
    return { ...failed, failure: { code, details } };
  });
}

const refusedText = 'The payment was received, but the balance cannot take it.';
