import { hash } from 'node:crypto';
import { StrKey, xdr } from '@stellar/stellar-sdk';
import type { ParsedEnvelope } from '@holdfast/ledger-network/envelopes';

export type DeploymentAddress = {
  readonly networkPassphrase: string;
  /** The contract that deploys. */
  readonly factory: xdr.ScAddress;
  readonly salt: Buffer;
};

/** The address of a deployed contract follows from its factory and salt, so we can compute it ourselves. */
export function contractAddress({ networkPassphrase, factory, salt }: DeploymentAddress): string {
  const fromFactory = new xdr.ContractIdPreimageFromAddress({ address: factory, salt });
  const preimage = xdr.HashIdPreimage.envelopeTypeContractId(
    new xdr.HashIdPreimageContractId({
      networkId: sha256(networkPassphrase),
      contractIdPreimage: xdr.ContractIdPreimage.contractIdPreimageFromAddress(fromFactory),
    }),
  );
  return StrKey.encodeContract(sha256(preimage.toXDR()));
}

function sha256(content: string | Buffer): Buffer {
  return hash('sha256', content, 'buffer');
}

const saltPosition = 2;

/** The address of the contract that a verified deployment creates. */
export function deployedContractId({ transaction, networkPassphrase }: ParsedEnvelope): string {
  const [operation] = transaction.operations();
  const call = operation?.body().invokeHostFunctionOp().hostFunction().invokeContract();
  const salt = call?.args()[saltPosition];
  if (call === undefined || salt === undefined) throw new TypeError('the envelope is not a deployment');
  return contractAddress({ networkPassphrase, factory: call.contractAddress(), salt: salt.bytes() });
}
