import type { Database, Tx } from '@holdfast/postgres';
import type { EmergencyStop } from '../domain/emergency-stop.js';
import type { Deps, UnitOfWork } from '../use-cases/ports.js';
import { emergencyStop } from './schema.js';

const onlyRow = { isOnlyRow: true } as const;

export function emergencyStopStore({ pool }: Pick<Database, 'pool'>): Deps['emergencyStop'] {
  return { find: async () => toStop(await pool.manager.findOneByOrFail(emergencyStop.entity, onlyRow)) };
}

export function emergencyStopIn(tx: Tx): UnitOfWork['emergencyStop'] {
  const rows = tx.manager.getRepository(emergencyStop.entity);
  return {
    lock: async () => toStop(await rows.findOneOrFail({ where: onlyRow, lock: { mode: 'pessimistic_write' } })),
    save: async (stop) => {
      await rows.update(onlyRow, stop);
    },
  };
}

function toStop({ isOnlyRow: _, ...stop }: EmergencyStop & { readonly isOnlyRow: boolean }): EmergencyStop {
  return stop;
}
