import type { Instant } from '@holdfast/shared/context';
import type { MarketplaceId } from '@holdfast/shared/ids';

export type Marketplace = { readonly id: MarketplaceId; readonly name: string; readonly createdAt: Instant };
