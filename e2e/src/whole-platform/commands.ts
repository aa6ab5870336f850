import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { userCreated } from '@holdfast/contracts/messages';
import { systemClock } from '@holdfast/kernel/context';
import { defaultMarketplaceId, idFactory } from '@holdfast/kernel/ids';
import { eventually } from '@holdfast/testing/eventually';
import { runProgram, startInTerminal } from '../testing/program.js';
import type { WholePlatform } from './platform.js';

const clock = systemClock();
const newId = idFactory(clock.epochMs);

/** The commands of an operator on a running platform. */
export function describeCommands(platform: () => WholePlatform): void {
  describe('npm run verify-ledger', () => {
    it('prints the broken rule with exit code 1', async () => {
      const { api, buyerId, settings } = platform();
      await api.post(`/users/${buyerId}/balance/credit`, { amount: '10.00' });
      const ledger = await platform().logIn('ledger-balance');
      const shift = (units: number): Promise<unknown> =>
        ledger.pool.query(`update accounts set available_units = available_units + $1 where owner = $2`, [units, buyerId]);

      await shift(1);
      const unsound = await runProgram('verifyLedger', settings);
      await shift(-1);

      expect(unsound.code).toBe(1);
      expect(unsound.output).toMatch(/an available balance is the sum of its legs +user:usr_\w+:USD/);
      expect(unsound.output).toContain('NOT SOUND');
    });
  });

  describeParked(platform);

  describe('npm run events:tail', () => {
    it('follows the events until one Ctrl-C, with exit code 0', async () => {
      const tail = startInTerminal('events:tail', platform().settings);
      await tail.prints('following');
      tail.signal('SIGINT');
      expect([await tail.ended, tail.output()]).toEqual([0, expect.not.stringMatching(/again in|Error/)]);
    });
  });

  describe('npm run service', () => {
    it('names the services there are', async () => {
      const { code, output } = await runProgram('service', {}, 'ledger');
      expect(code).toBe(1);
      expect(output).toMatch(/There is no service "ledger".* one of gateway, identity, ledger-balance/);
    });
  });
}

function describeParked(platform: () => WholePlatform): void {
  describe('npm run parked', () => {
    it('lists a parked message and sends it back to its service, which then handles it', async () => {
      const { api, settings } = platform();
      const [userId, messageId] = [newId('usr'), newId('evt')];
      const ledger = await platform().logIn('ledger-balance');
      await ledger.pool.query(
        `insert into parked_messages (message_id, type, body, attempts, reason)
         values ($1, $2, $3, 5, 'failed 5 times, at last: Error: no')`,
        [messageId, userCreated.type, Buffer.from(JSON.stringify(userEnvelope(messageId, userId)))],
      );
      const balance = () => api.get(`/users/${userId}/balance`);
      expect(await balance()).toMatchObject({ status: 404 });

      const listed = await runProgram('parked', settings, 'list');
      const redriven = await runProgram('parked', settings, 'redrive', 'ledger-balance', messageId);

      expect(listed.output).toMatch(new RegExp(`ledger-balance +${messageId} +user\\.created +5 .*failed 5 times`));
      expect(redriven).toMatchObject({ code: 0, output: expect.stringContaining('1 message was sent back to ledger-balance.') });
      await eventually(async () => expect(await balance()).toMatchObject({ status: 200 }));
      await eventually(async () => expect((await ledger.pool.query('select from parked_messages')).rows).toEqual([]));
    });

    it('names a service that it does not know', async () => {
      expect(await runProgram('parked', platform().settings, 'list', 'nobody')).toMatchObject({
        code: 1,
        output: expect.stringContaining('There is no service "nobody"'),
      });
    });
  });
}

/** The end of the platform. */
export function describeReset(platform: () => WholePlatform): void {
  describe('npm run reset', () => {
    it('deletes nothing while Holdfast runs on the folder', async () => {
      const { api, buyerId, dataDir, pid, settings } = platform();
      const { code, output } = await runProgram('reset', settings, '--yes');
      expect(code).toBe(1);
      expect(output).toContain(`Holdfast (process ${pid}) is running on ${dataDir}: stop it first.`);
      expect((await api.get(`/users/${buyerId}/balance`)).status).toBe(200);
    });

    it('deletes the data of Holdfast and nothing else, after a confirmation', async () => {
      const { dataDir, ended, logOut, settings, signal } = platform();
      await logOut();
      signal('SIGTERM');
      await ended;

      const unconfirmed = await runProgram('reset', settings);
      expect(unconfirmed).toMatchObject({ code: 1, output: expect.stringContaining('This is not a terminal') });
      writeFileSync(path.join(dataDir, 'notes.txt'), 'mine');
      const first = await runProgram('reset', settings, '--yes');
      expect(first).toMatchObject({ code: 0, output: expect.stringContaining('still there: notes.txt') });
      expect(readdirSync(dataDir)).toEqual(['notes.txt']);
      const foreign = await runProgram('reset', settings, '--yes');
      expect(foreign).toMatchObject({ code: 1, output: expect.stringContaining('is not a data folder of Holdfast') });
      expect(readdirSync(dataDir)).toEqual(['notes.txt']);
      rmSync(dataDir, { recursive: true });
      expect((await runProgram('reset', settings, '--yes')).output).toContain('There is nothing to delete');
      expect(existsSync(dataDir)).toBe(false);
    });
  });
}

function userEnvelope(id: string, userId: string): object {
  const payload = { userId, externalUserId: userId, type: 'BOTH', status: 'ACTIVE' };
  const { type, version, aggregateType } = userCreated;
  const about = { aggregateType, aggregateId: userId, aggregateVersion: 1, marketplaceId: defaultMarketplaceId };
  return { id, type, version, occurredAt: clock.now(), ...about, correlationId: 'commands-test', payload };
}
