import { fileURLToPath, pathToFileURL } from 'node:url';
import { z } from 'zod';
import { route } from '@holdfast/contracts/http';
import { userCreated } from '@holdfast/contracts/messages';
import { handle } from '@holdfast/http/server';
import { handleOnce } from '@holdfast/messaging/inbox';
import { ignoringOthers } from '@holdfast/testing/services';
import { countSetting } from '@holdfast/process/config';
import { defineService, type ServiceParts, type ServiceRuntime } from '../service-definition.js';
import { on } from '../consumers.js';

const nothing = z.strictObject({});

const countNotes = route({
  name: 'countNotes',
  method: 'get',
  path: '/notes',
  service: 'ledger-balance',
  summary: 'Count notes',
  auth: 'read',
  idempotent: false,
  family: 'plain',
  params: nothing,
  malformedParams: 'NOT_FOUND',
  query: nothing,
  body: nothing,
  success: { status: 200, data: z.object({ notes: z.number(), noteLimit: z.number() }) },
  errors: [],
});

export type Extras = (runtime: ServiceRuntime) => Partial<ServiceParts>;

/** A minimal service: one table, one route that counts its rows, one message that inserts a row. */
export function sampleService(extras: Extras = () => ({})) {
  return defineService({
    name: 'ledger-balance',
    migrations: pathToFileURL(fileURLToPath(new URL('../../src/testing/migrations', import.meta.url))),
    settings: z.object({ noteLimit: countSetting({ description: 'how many notes there may be', default: 7, min: 1, max: 9 }) }),
    entities: [],
    create: (runtime) => {
      const { database, config } = runtime;
      const count = handle(countNotes, async () => {
        const { rows } = await database.pool.query<{ readonly notes: number }>('select count(*)::int as notes from notes');
        return { notes: rows[0]?.notes ?? 0, noteLimit: config.noteLimit };
      });
      const addNote = handleOnce<{ readonly userId: string }>({ database, consumer: 'notes' }, async (tx, { payload }) => {
        await tx.query('insert into notes (user_id) values ($1)', [payload.userId]);
      });
      // The sample has the name of a service that is declared to consume more messages.
      const consumers = ignoringOthers('ledger-balance', [on(userCreated, addNote)]);
      return { routes: [count], consumers, ...extras(runtime) };
    },
  });
}
