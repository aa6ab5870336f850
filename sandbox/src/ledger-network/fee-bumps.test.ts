import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  Asset,
  FeeBumpTransaction,
  Keypair,
  Operation,
  TransactionBuilder,
  rpc,
  xdr,
  type Transaction,
} from '@stellar/stellar-sdk';
import { createParties, fundedEscrow, type Parties } from '../testing/parties.js';
import { feeBumpOf } from '../testing/fee-bumps.js';
import { runSandbox, signed, type RunningSandbox } from '../testing/running-sandbox.js';

let sandbox: RunningSandbox;
let server: rpc.Server;
let payer: Keypair;
beforeAll(async () => {
  sandbox = await runSandbox();
  server = new rpc.Server(sandbox.rpcUrl, { allowHttp: true });
  payer = await sandbox.wallet();
});
afterAll(() => sandbox.close());

type Sent = Transaction | FeeBumpTransaction;
const hashOf = (transaction: Sent): string => transaction.hash().toString('hex');
const pay = (amount = '1', destination = sandbox.faucetAddress): xdr.Operation =>
  Operation.payment({ destination, amount, asset: Asset.native() });

async function nativeUnits(key: Keypair): Promise<bigint> {
  const { balances } = await sandbox.horizon.loadAccount(key.publicKey());
  return BigInt(balances.find(({ asset_type: type }) => type === 'native')?.balance.replace('.', '') ?? '0');
}

/** Changes the fee of a built fee bump, which the SDK does not allow to be too low. */
function withFee(bump: FeeBumpTransaction, fee: number): FeeBumpTransaction {
  const envelope = bump.toEnvelope();
  envelope
    .feeBump()
    .tx()
    .fee(xdr.Int64.fromString(String(fee)));
  envelope.feeBump().signatures([]);
  const changed = new FeeBumpTransaction(envelope, sandbox.networkPassphrase);
  changed.sign(payer);
  return changed;
}

async function codesOf(transaction: Sent): Promise<unknown> {
  const body = new URLSearchParams({ tx: transaction.toXDR() });
  const response = await fetch(`${sandbox.horizonUrl}/transactions`, { method: 'POST', body });
  const { extras } = (await response.json()) as { extras?: { result_codes: unknown } };
  return extras?.result_codes;
}

describe('a fee bump that lands', () => {
  it('charges the fee source, and uses the sequence number of the inner source', async () => {
    const alice = await sandbox.wallet();
    const inner = await sandbox.transaction(alice, [pay('1'), pay('2')]);
    const [aliceBefore, payerBefore] = [await nativeUnits(alice), await nativeUnits(payer)];
    const { sequence: payerSequence } = await sandbox.horizon.loadAccount(payer.publicKey());
    await sandbox.horizon.submitTransaction(feeBumpOf(sandbox, payer, inner));

    expect(await nativeUnits(alice)).toBe(aliceBefore - 30_000_000n);
    expect(await nativeUnits(payer)).toBe(payerBefore - 300n);
    expect((await sandbox.horizon.loadAccount(alice.publicKey())).sequence).toBe(inner.sequence);
    expect((await sandbox.horizon.loadAccount(payer.publicKey())).sequence).toBe(payerSequence);
  });

  it('needs no native balance of the inner source beyond what it pays', async () => {
    const poor = Keypair.random();
    const { body } = await sandbox.control('POST', '/faucet', { address: poor.publicKey(), asset: 'XLM', amount: 1 });
    expect(body.hash).toBeDefined();
    const inner = await sandbox.transaction(poor, [Operation.changeTrust({ asset: Asset.native(), limit: '0' })], { fee: '100' });
    expect(await codesOf(feeBumpOf(sandbox, payer, inner))).toEqual({
      transaction: 'tx_fee_bump_inner_failed',
      inner_transaction: 'tx_failed',
      operations: ['op_malformed'],
    });
  });

  it('is found by both hashes through Horizon, each with the facts of both transactions', async () => {
    const alice = await sandbox.wallet();
    const inner = await sandbox.transaction(alice, [pay()]);
    const bump = feeBumpOf(sandbox, payer, inner, '1500');
    const landed = await sandbox.horizon.submitTransaction(bump);
    expect(landed).toMatchObject({ hash: hashOf(bump), successful: true, envelope_xdr: bump.toXDR() });

    const signature = (transaction: Sent) => transaction.signatures.map((entry) => entry.signature().toString('base64'));
    const both = {
      source_account: alice.publicKey(),
      source_account_sequence: inner.sequence,
      fee_account: payer.publicKey(),
      fee_charged: '200',
      max_fee: '3000',
      fee_bump_transaction: { hash: hashOf(bump), signatures: signature(bump) },
      inner_transaction: { hash: hashOf(inner), signatures: signature(inner), max_fee: '1000' },
    };
    const find = (hash: string) => sandbox.horizon.transactions().transaction(hash).call();
    expect(await find(hashOf(bump))).toMatchObject({ ...both, hash: hashOf(bump), signatures: signature(bump) });
    expect(await find(hashOf(inner))).toMatchObject({ ...both, hash: hashOf(inner), signatures: signature(inner) });

    const [operation] = (await sandbox.horizon.operations().forTransaction(hashOf(inner)).call()).records;
    expect(operation).toMatchObject({ transaction_hash: hashOf(bump), source_account: alice.publicKey() });
    for (const account of [alice, payer]) {
      const [last] = (await sandbox.horizon.transactions().forAccount(account.publicKey()).order('desc').limit(1).call()).records;
      expect(last).toMatchObject({ hash: hashOf(bump), inner_transaction: { hash: hashOf(inner) } });
    }
  });

  it('SUCCESS of getTransaction by both hashes, with the result of the inner transaction', async () => {
    const alice = await sandbox.wallet();
    const inner = await sandbox.transaction(alice, [pay()]);
    const bump = feeBumpOf(sandbox, payer, inner);
    expect(await server.sendTransaction(bump)).toMatchObject({ status: 'PENDING', hash: hashOf(bump) });
    for (const hash of [hashOf(bump), hashOf(inner)]) {
      const found = await server.getTransaction(hash);
      if (found.status !== rpc.Api.GetTransactionStatus.SUCCESS) throw new Error(`the transaction is ${found.status}`);
      expect(found).toMatchObject({ feeBump: true });
      expect(found.envelopeXdr.toXDR('base64')).toBe(bump.toXDR());
      expect(found.resultXdr.feeCharged().toString()).toBe('200');
      expect(found.resultXdr.result().switch().name).toBe('txFeeBumpInnerSuccess');
      const pair = found.resultXdr.result().innerResultPair();
      expect(pair.transactionHash().toString('hex')).toBe(hashOf(inner));
      expect(pair.result().result().results()).toHaveLength(1);
    }
  });

  it('lands as failed with the codes of the inner transaction, and costs its fee', async () => {
    const alice = await sandbox.wallet();
    const before = await nativeUnits(payer);
    const bump = feeBumpOf(sandbox, payer, await sandbox.transaction(alice, [pay('1', Keypair.random().publicKey())]));
    const codes = { transaction: 'tx_fee_bump_inner_failed', inner_transaction: 'tx_failed', operations: ['op_no_destination'] };
    expect(await codesOf(bump)).toEqual(codes);
    expect(await nativeUnits(payer)).toBe(before - 200n);
    const found = await server.getTransaction(hashOf(bump.innerTransaction));
    if (found.status !== rpc.Api.GetTransactionStatus.FAILED) throw new Error(`the transaction is ${found.status}`);
    expect(found.resultXdr.result().switch().name).toBe('txFeeBumpInnerFailed');
    expect(found.resultXdr.result().innerResultPair().result().result().switch().name).toBe('txFailed');
  });

  it('lands once: the landed result for the same envelope, tx_bad_seq for another fee bump of the inner transaction', async () => {
    const alice = await sandbox.wallet();
    const inner = await sandbox.transaction(alice, [pay()]);
    const bump = feeBumpOf(sandbox, payer, inner);
    const before = await nativeUnits(payer);
    const first = await sandbox.horizon.submitTransaction(bump);
    expect(await sandbox.horizon.submitTransaction(bump)).toMatchObject({ hash: first.hash, ledger: first.ledger });
    expect(await sandbox.horizon.submitTransaction(inner)).toMatchObject({ ledger: first.ledger });
    const again = feeBumpOf(sandbox, payer, inner, '9000');
    expect(await codesOf(again)).toEqual({ transaction: 'tx_fee_bump_inner_failed', inner_transaction: 'tx_bad_seq' });
    for (const sent of [bump, again]) {
      const { status, errorResult } = await server.sendTransaction(sent);
      expect(status).toBe('ERROR');
      expect(errorResult?.result().innerResultPair().result().result().switch().name).toBe('txBadSeq');
    }
    expect((await server.sendTransaction(inner)).errorResult?.result().switch().name).toBe('txBadSeq');
    expect(await nativeUnits(payer)).toBe(before - 200n);
  });
});

describe('an invalid fee bump', () => {
  let alice: Keypair;
  let bump: FeeBumpTransaction;
  beforeAll(async () => {
    alice = await sandbox.wallet();
  });
  beforeEach(async () => {
    bump = feeBumpOf(sandbox, payer, await sandbox.transaction(alice, [pay()], { fee: '150' }));
  });

  it('tx_insufficient_fee below the minimum of one operation more, or below the bid of the inner transaction', async () => {
    for (const fee of [199, 299]) expect(await codesOf(withFee(bump, fee))).toEqual({ transaction: 'tx_insufficient_fee' });
    expect(await codesOf(withFee(bump, 300))).toBeUndefined();
  });

  it('tx_bad_auth without the signature of the fee source, tx_bad_auth_extra with another one', async () => {
    const { innerTransaction } = bump;
    const unsigned = TransactionBuilder.buildFeeBumpTransaction(payer, '200', innerTransaction, sandbox.networkPassphrase);
    expect(await codesOf(unsigned)).toEqual({ transaction: 'tx_bad_auth' });
    bump.sign(alice);
    expect(await codesOf(bump)).toEqual({ transaction: 'tx_bad_auth_extra' });
  });

  it('tx_bad_auth of the inner transaction without its own signatures', async () => {
    const inner = await sandbox.transaction(alice, [pay()]);
    inner.signatures.length = 0;
    const codes = { transaction: 'tx_fee_bump_inner_failed', inner_transaction: 'tx_bad_auth' };
    expect(await codesOf(feeBumpOf(sandbox, payer, inner))).toEqual(codes);
  });

  it('tx_too_late of an expired inner transaction', async () => {
    const inner = await sandbox.transaction(alice, [pay()], { maxTime: 1_000 });
    const codes = { transaction: 'tx_fee_bump_inner_failed', inner_transaction: 'tx_too_late' };
    expect(await codesOf(feeBumpOf(sandbox, payer, inner))).toEqual(codes);
  });

  it('tx_no_source_account and tx_insufficient_balance of the fee source', async () => {
    const stranger = Keypair.random();
    expect(await codesOf(feeBumpOf(sandbox, stranger, bump.innerTransaction))).toEqual({ transaction: 'tx_no_source_account' });
    await sandbox.control('POST', '/faucet', { address: stranger.publicKey(), asset: 'XLM', amount: 1 });
    const dear = feeBumpOf(sandbox, stranger, bump.innerTransaction, '10000000');
    expect(await codesOf(dear)).toEqual({ transaction: 'tx_insufficient_balance' });
  });

  it('leaves no trace', async () => {
    const { innerTransaction } = bump;
    const wrong = withFee(bump, 199);
    expect((await server.sendTransaction(wrong)).errorResult?.result().switch().name).toBe('txInsufficientFee');
    for (const each of [wrong, innerTransaction]) expect((await server.getTransaction(hashOf(each))).status).toBe('NOT_FOUND');
  });
});

describe('a contract call in a fee bump', () => {
  let parties: Parties;
  beforeAll(async () => {
    parties = await createParties(sandbox, 1_000);
  });

  it('lands, costs the fee source its resources, and cannot be simulated', async () => {
    const contractId = await fundedEscrow(sandbox, parties);
    const body = { contractId, signer: parties.buyer.publicKey(), amount: 1 };
    const built = await sandbox.escrow('/escrow/single-release/fund-escrow', body);
    const inner = signed(built, parties.buyer, sandbox.networkPassphrase);
    const bump = feeBumpOf(sandbox, payer, inner, '60000');
    const [before, buyerBefore] = [await nativeUnits(payer), await nativeUnits(parties.buyer)];
    expect(await sandbox.send(bump)).toMatchObject({ status: 200, body: { status: 'SUCCESS' } });
    expect(await nativeUnits(payer)).toBe(before - 50_200n);
    expect(await nativeUnits(parties.buyer)).toBe(buyerBefore);
    const update = { txHash: hashOf(bump) };
    const headers = { 'x-api-key': sandbox.escrowApiKey };
    const url = `${sandbox.escrowProviderUrl}/indexer/update-from-txhash`;
    expect(await sandbox.request('PUT', url, update, headers)).toMatchObject({ status: 200 });
    expect(await server._simulateTransaction(bump as unknown as Transaction)).toMatchObject({
      error: expect.stringContaining('fee bump'),
    });
  });
});

describe('with a data folder', () => {
  it('a fee bump is found by both hashes after a restart', async () => {
    const dataFolder = await mkdtemp(path.join(tmpdir(), 'sandbox-'));
    try {
      const first = await runSandbox({ dataFolder });
      const [alice, bob] = [await first.wallet(), await first.wallet()];
      const inner = await first.transaction(alice, [pay('1', bob.publicKey())]);
      const bump = feeBumpOf(first, bob, inner);
      await first.horizon.submitTransaction(bump);
      await first.close();

      const second = await runSandbox({ dataFolder });
      for (const hash of [hashOf(inner), hashOf(bump)]) {
        const record = await second.horizon.transactions().transaction(hash).call();
        expect(record).toMatchObject({ successful: true, fee_bump_transaction: { hash: hashOf(bump) } });
      }
      expect(
        (await second.horizon.transactions().forAccount(bob.publicKey()).order('desc').limit(1).call()).records[0],
      ).toMatchObject({
        hash: hashOf(bump),
      });
      await second.close();
    } finally {
      await rm(dataFolder, { recursive: true, force: true });
    }
  });
});
