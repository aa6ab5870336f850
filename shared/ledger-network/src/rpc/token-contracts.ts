import { Asset } from '@stellar/stellar-sdk';
import type { CustodyAsset } from '@holdfast/kernel/money';

/** The contracts of the tokens. */
export type TokenContracts = Readonly<Record<CustodyAsset, string>>;

export function tokenContracts(networkPassphrase: string, usdcIssuer: string): TokenContracts {
  return {
    USDC: new Asset('USDC', usdcIssuer).contractId(networkPassphrase),
    XLM: Asset.native().contractId(networkPassphrase),
  };
}
