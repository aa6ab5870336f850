import { EntitySchema } from 'typeorm';
import { columnTypes } from '@holdfast/shared/postgres';
import type { HeardUser } from '../use-cases/ports.js';

/** Users are mapped; the journal itself is written and read in SQL, where its locking and its speed can be seen. */
export const userSchema = new EntitySchema<HeardUser>({
  name: 'User',
  tableName: 'users',
  columns: {
    id: { type: columnTypes.text, primary: true },
    marketplaceId: { type: columnTypes.text, name: 'marketplace_id' },
    status: { type: columnTypes.text },
    version: { type: columnTypes.integer },
    heardAt: { type: columnTypes.instant, name: 'heard_at' },
  },
});
