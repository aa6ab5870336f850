import { fileURLToPath } from 'node:url';
import { createBatcher } from '@holdfast/messaging/batching';
import type { Context } from '@holdfast/kernel/context';
import type { Envelope } from '@holdfast/contracts/messages';
import { handleOnce, recordNewMessages } from '@holdfast/messaging/inbox';
import type { Database, Tx } from '@holdfast/postgres';
import type { OnConsumed } from './pipeline.js';

/** Whether messages that arrive together share a transaction, as in the ledger, or each has its own, as in a plain service. */
export type ConsumeMode = 'in batches' | 'one by one';

export type Effects = {
  readonly take: (message: Envelope, ctx: Context) => Promise<void>;
  readonly audit: (sent: number) => Promise<void>;
};

const consumer = 'bench';
/** The limits of the ledger's poster. */
const batching = { sizeMax: 256, batchDelayMs: 2, inFlightMax: 2, waitingMax: 10_000 } as const;

const insertEffects = {
  name: 'insert-effects',
  text: `
  insert into effects (message_id)
  select message_id
  from unnest($1::text[]) as message_id`,
};

/** The migration of the table `effects`. */
export const effectsMigrations = fileURLToPath(new URL('../../migrations/effects', import.meta.url));

/** The effect of a message is one row with its id as the key: doing it twice would be an error. */
export function createEffects(database: Database, mode: ConsumeMode, onConsumed: OnConsumed): Effects {
  const audit = (sent: number): Promise<void> => auditEffects(database, sent);
  if (mode === 'one by one') {
    const consume = handleOnce({ database, consumer }, (tx, { id }) => writeEffects(tx, [id]));
    const take = async (message: Envelope, ctx: Context): Promise<void> => {
      await consume(message, ctx);
      onConsumed(message.id);
    };
    return { take, audit };
  }
  const batcher = createBatcher<string, undefined>({
    ...batching,
    run: async (ids) => {
      await database.inTransaction((tx) => consumeAll(tx, ids));
      ids.forEach(onConsumed);
      return ids.map(() => ({ status: 'fulfilled', value: undefined }));
    },
    overflow: () => new Error('too many messages wait'),
  });
  return { take: ({ id }) => batcher.submit(id), audit };
}

const recordAll = { name: 'record-new-messages', text: recordNewMessages };

async function consumeAll(tx: Tx, ids: readonly string[]): Promise<void> {
  const added = await tx.query<{ readonly message_id: string }>(recordAll, [consumer, ids]);
  await writeEffects(
    tx,
    added.map(({ message_id: id }) => id),
  );
}

async function writeEffects(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.query(insertEffects, [ids]);
}

type Counts = { readonly effects: number; readonly inbox: number };

const countEffects = `
  select
    (select count(*)::int from effects) as effects,
    (select count(*)::int from inbox) as inbox`;

async function auditEffects({ pool }: Database, sent: number): Promise<void> {
  const { rows } = await pool.query<Counts>(countEffects);
  const [counts] = rows;
  if (counts?.effects === sent && counts.inbox === sent) return;
  throw new Error(`${sent} messages were published, and the other side has ${JSON.stringify(counts)}`);
}
