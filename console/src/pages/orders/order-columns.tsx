import type { Order } from '@holdfast/sdk';
import type { Column } from '../../ui/data-table.js';
import { IdLink } from '../../ui/id-link.js';
import { Money } from '../../ui/money.js';
import { StatusBadge } from '../../ui/status-badge.js';
import { RelativeTime } from '../../ui/time.js';

export const orderColumns: readonly Column<Order>[] = [
  { header: 'Order', cell: ({ id }) => <IdLink id={id} /> },
  { header: 'Title', cell: ({ title }) => <span className="hf-clip">{title === '' ? '—' : title}</span>, isMinor: true },
  { header: 'Amount', cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />, isNumeric: true },
  { header: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { header: 'Buyer', cell: ({ buyerId }) => <IdLink id={buyerId} />, isMinor: true },
  { header: 'Seller', cell: ({ sellerId }) => <IdLink id={sellerId} />, isMinor: true },
  { header: 'Created', cell: ({ createdAt }) => <RelativeTime at={createdAt} />, isMinor: true },
];
