import type { Instant } from '@holdfast/kernel/context';
import type { MarketplaceId } from '@holdfast/kernel/ids';

export type Marketplace = { readonly id: MarketplaceId; readonly name: string; readonly createdAt: Instant };
