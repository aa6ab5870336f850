import { callerSigner, type CallerSigner } from '@holdfast/http/caller';
import { systemClock, type Clock } from '@holdfast/kernel/context';
import { idFactory, type NewId } from '@holdfast/kernel/ids';
import { createLifecycle, type Lifecycle } from '@holdfast/process/lifecycle';
import { openDatabase, type Database, type OpenDatabaseOptions } from '@holdfast/postgres';
import { silentLog } from '@holdfast/testing/log';

type Tables = Pick<OpenDatabaseOptions, 'migrations' | 'entities'>;

/** What the parts of a ledger under measurement are opened with. */
export type Bench = {
  readonly open: (service: string, tables: Tables) => Promise<Database>;
  readonly lifecycle: Lifecycle;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly signer: CallerSigner;
};

const secret = 'bench-only-internal-secret-0123456789';

export function openBench(adminUrl: string): Bench {
  const clock = systemClock();
  const lifecycle = createLifecycle({ log: silentLog });
  const open = async (service: string, tables: Tables): Promise<Database> => {
    const database = await openDatabase({ ...tables, adminUrl, service, internalSecret: secret, log: silentLog });
    lifecycle.onStop(`${service} database`, database.close);
    return database;
  };
  return { open, lifecycle, clock, newId: idFactory(clock.epochMs), signer: callerSigner({ secret, clock }) };
}
