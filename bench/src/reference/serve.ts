import express from 'express';
import { Pool } from 'pg';
import { z } from 'zod';

/**
 * A plain service to compare with: express, a pool, and one transaction per request. It is as fast as this design gets:
 * prepared statements, small responses, no log, no authentication and no messages.
 */
const [connectionString] = process.argv.slice(2);
const poolMax = 20;
const centsPerUnit = 100;
const credit = z.object({ amount: z.string().regex(/^\d{1,10}\.\d\d$/) });
const pool = new Pool({ connectionString, max: poolMax });

const raiseBalance = {
  name: 'raise-balance',
  text: 'update reference_balances set cents = cents + $2 where user_id = $1 returning cents',
};
const insertEntry = { name: 'insert-entry', text: 'insert into reference_entries (user_id, cents) values ($1, $2)' };

const app = express();
app.disable('x-powered-by');
app.use(express.json());

app.post('/users/:userId/balance/credit', async (request, response) => {
  const { userId } = request.params;
  const { amount } = credit.parse(request.body);
  const cents = Math.round(Number(amount) * centsPerUnit);
  const client = await pool.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query<{ readonly cents: string }>({ ...raiseBalance, values: [userId, cents] });
    const [balance] = rows;
    if (balance === undefined) {
      await client.query('rollback');
      response.status(404).json({ error: 'no such user' });
      return;
    }
    await client.query({ ...insertEntry, values: [userId, cents] });
    await client.query('commit');
    response.json({ data: { userId, available: balance.cents } });
  } finally {
    client.release();
  }
});

const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.(typeof address === 'object' && address !== null ? address.port : undefined);
});
process.once('disconnect', () => process.exit());
