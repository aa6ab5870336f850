import { createHash } from 'node:crypto';
import { Address, Asset, Networks, StrKey } from '@stellar/stellar-sdk';
import { contractAddress, deployedContractId } from './contract-address.js';
import { expectationOf, factory, limits, networkPassphrase, token } from './testing/parties.js';
import { providerEnvelope, salt, toXdr } from './testing/provider-envelopes.js';
import { verifyEnvelope } from '@holdfast/ledger-network/expectations';

const sha256 = (content: string | Buffer): Buffer => createHash('sha256').update(content).digest();
const uint32 = (value: number): Buffer => Buffer.from([0, 0, 0, value]);

/** The bytes that the network hashes, written out. */
function hashedBytes(passphrase: string, from: string, chosenSalt: Buffer): Buffer {
  const contractIdPreimage = uint32(8);
  const fromAddress = uint32(0);
  const ofContract = uint32(1);
  const hash = new Address(from).toBuffer();
  return Buffer.concat([contractIdPreimage, sha256(passphrase), fromAddress, ofContract, hash, chosenSalt]);
}

describe('the address of a deployed contract', () => {
  const expected = StrKey.encodeContract(sha256(hashedBytes(networkPassphrase, factory, salt)));

  it('is the hash of network, factory and salt', () => {
    const by = new Address(factory).toScAddress();
    expect(contractAddress({ networkPassphrase, factory: by, salt })).toBe(expected);
    expect(contractAddress({ networkPassphrase, factory: by, salt: Buffer.alloc(32, 8) })).not.toBe(expected);
    expect(contractAddress({ networkPassphrase, factory: new Address(token).toScAddress(), salt })).not.toBe(expected);
    expect(contractAddress({ networkPassphrase: Networks.PUBLIC, factory: by, salt })).not.toBe(expected);
  });

  it.each(['single-release', 'multi-release'] as const)('follows from a verified deployment: %s', (type) => {
    const deployment = { type, variant: 'v1', operation: 'deploy' } as const;
    const verification = verifyEnvelope(toXdr(providerEnvelope(deployment)), expectationOf(deployment), limits);
    if (verification.status === 'refused') throw new Error(verification.mismatch.field);
    expect(deployedContractId(verification.envelope)).toBe(expected);
  });

  it('is not given for another transaction', () => {
    const dispute = { type: 'single-release', variant: 'v1', operation: 'dispute' } as const;
    const verification = verifyEnvelope(toXdr(providerEnvelope(dispute)), expectationOf(dispute), limits);
    if (verification.status === 'refused') throw new Error(verification.mismatch.field);
    expect(() => deployedContractId(verification.envelope)).toThrow('the envelope is not a deployment');
  });
});

it('the token of the tests is USDC of the test network', () => {
  const usdc = new Asset('USDC', 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5');
  expect(usdc.contractId(networkPassphrase)).toBe(token);
});
