import { consume, type BoundConsumer } from '@holdfast/service-kit';
import { handleLedgerLinked } from '../use-cases/handle-ledger-linked.js';
import { handlePaymentAccountLinked } from '../use-cases/handle-payment-account-linked.js';
import { handleUnknownOutflow } from '../use-cases/handle-unknown-outflow.js';
import type { Deps } from '../use-cases/ports.js';

/** Message → use case. */
export function consumersOf(deps: Deps): readonly BoundConsumer[] {
  return consume('identity', {
    userLedgerLinked: (message) => handleLedgerLinked(deps, message),
    userPaymentAccountLinked: (message) => handlePaymentAccountLinked(deps, message),
    custodyUnknownOutflowFound: (message, ctx) => handleUnknownOutflow(deps, message, ctx),
  });
}
