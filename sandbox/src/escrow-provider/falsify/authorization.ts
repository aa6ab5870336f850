import { Address, StrKey, xdr } from '@stellar/stellar-sdk';
import { required, transferOf, type OpenedTransaction } from './opened-transaction.js';
import { addressValue } from './values.js';

const nonce = 1n;
const expirationLedgerMax = 0xff_ff_ff_ff;

/**
 * An address credential of the signer, the more dangerous choice: a signature for it would stay valid outside this transaction,
 * whereas a call that a stranger authorizes fails.
 */
export function useAddressCredential({ transaction, authorization }: OpenedTransaction): void {
  const signer = StrKey.encodeEd25519PublicKey(transaction.sourceAccount().ed25519());
  const credential = new xdr.SorobanAddressCredentials({
    address: new Address(signer).toScAddress(),
    nonce: new xdr.Int64(nonce),
    signatureExpirationLedger: expirationLedgerMax,
    signature: xdr.ScVal.scvVoid(),
  });
  authorization.credentials(xdr.SorobanCredentials.sorobanCredentialsAddress(credential));
}

/** Authorizes the same transfer a second time, to a stranger. */
export function addTransfer(opened: OpenedTransaction, stranger: string): void {
  const honest = transferOf(opened).function().contractFn();
  const [from, , amount] = honest.args();
  const transfer = new xdr.InvokeContractArgs({
    contractAddress: honest.contractAddress(),
    functionName: honest.functionName(),
    args: [required(from), addressValue(stranger), required(amount)],
  });
  const extra = new xdr.SorobanAuthorizedInvocation({
    function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(transfer),
    subInvocations: [],
  });
  opened.authorization.rootInvocation().subInvocations([transferOf(opened), extra]);
}
