import { propertiesBut, upsertMany, type Tx } from '@holdfast/postgres';
import type { UnitOfWork } from '../use-cases/ports.js';
import { forUpdate } from './rows.js';
import { resolutions } from './schema.js';

/** The payment is locked, so no other transaction writes the row. */
const saveResolution = upsertMany({
  ...resolutions,
  name: 'save-payment-resolution',
  key: ['paymentId'],
  set: propertiesBut(resolutions.columns, ['paymentId']),
  where: 'payment_resolutions.resolved_at is null',
});

export function resolutionsIn(tx: Tx): UnitOfWork['resolutions'] {
  return {
    lock: async (paymentId) =>
      (await tx.manager.findOne(resolutions.entity, { where: { paymentId }, lock: forUpdate })) ?? undefined,
    save: async (resolution) => {
      await tx.query(saveResolution([resolution]));
    },
  };
}
